import { type CommandLine, defineView, readView, type ViewArguments } from "./command-line";

export interface HistoryArguments extends ViewArguments {
  /** The folder with the reports. */
  readonly folder: string;
  /** The page to write; undefined for `index.html` in the folder. */
  readonly file: string | undefined;
}

export const historyLine: CommandLine<HistoryArguments> = {
  name: "history",
  summary: "turn the drift reports of many runs into one page",
  description:
    "Reads the JSON reports of many runs of `steward drift --report FILE.json` in a folder and its subfolders, and writes one HTML page: drift over time, the projects that drift most, the age of open drifts, and the time to repair. The times are those of the reports, and the names of the files do not matter. Files that are no reports, or damaged, are named and left out. Reports of applies explain repairs; other reports are left out. Sends no request. Exit 0, or 1 if there is no drift report or the page can't be written.",
  examples: [
    ["steward history runs", "write runs/index.html"],
    ["steward drift --report runs/2026-11-23T0100.json", "in a scheduled job, whose reports are kept"],
    ["steward history runs --out public/index.html", "write the page elsewhere"],
    ["steward history runs --json", "the same numbers as JSON events"],
  ],
  define: (command) =>
    void defineView(
      command
        .argument("<dir>", "folder with the JSON reports, in subfolders too")
        .option("--out <file>", "the page to write (default: index.html in the folder)"),
    ),
  read: (options, [folder]) => ({ ...readView(options), folder: folder!, file: options["out"] }),
};

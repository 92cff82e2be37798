import type { ReportFormat } from "../arguments/reports";
import type { Report } from "../document/model";

interface Format extends ReportFormat {
  /** Loads the module of the format, and returns the function that makes the text of a report. */
  load(): (report: Report) => string;
  /** Whether only programs read the format. Names in a format for programs are not made safe to print. */
  readonly isData?: boolean;
  /**
   * Loads the function that reads the format. The function throws for a text that it can't use. Steward does not read formats
   * without a `reader`.
   */
  reader?(): (text: string) => unknown;
}

/** The formats of reports, in the order of the help. A new format needs a file in the folder `formats`, and a line here. */
export const FORMATS: Readonly<Record<string, Format>> = {
  markdown: {
    extension: ".md",
    load: () => (require("./formats/markdown") as typeof import("./formats/markdown")).markdownReport,
  },
  html: {
    extension: ".html",
    load: () => (require("./formats/html") as typeof import("./formats/html")).htmlReport,
  },
  junit: {
    extension: ".xml",
    note: " (JUnit)",
    load: () => (require("./formats/junit") as typeof import("./formats/junit")).junitReport,
  },
  widget: {
    extension: ".widget.json",
    load: () => (require("./formats/widget") as typeof import("./formats/widget")).widgetReport,
  },
  json: {
    extension: ".json",
    isData: true,
    reader: () => (require("./read-report") as typeof import("./read-report")).readWholeReport,
    load: () => (require("./formats/json") as typeof import("./formats/json")).jsonReport,
  },
};

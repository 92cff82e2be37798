import path from "node:path";
import { type ImportBlock, printImportBlocks } from "../../adopt";
import { type Diagnostic, fail, warning } from "../../diagnostics";
import { type OpenStack, type Plan, shownImportId } from "../../engine";
import { describeFileProblem, replaceFile, requireRegularFile, resolveLinks } from "../../files";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";

/** Collects what a plan would take over, and writes import blocks of it for Terraform. */
export class WrittenImports {
  readonly #file: string;
  readonly #terminal: Pick<Terminal, "folder">;
  readonly #imports: ImportBlock[] = [];

  constructor(file: string, terminal: Pick<Terminal, "folder">) {
    this.#file = file;
    this.#terminal = terminal;
  }

  /** Blocks name no stack: those of several stacks can't be in one file. */
  checkStacks(stacks: readonly Pick<OpenStack, "name">[]): void {
    if (stacks.length < 2) return;
    fail({
      code: "invalid_arguments",
      summary: "Import blocks of several stacks",
      detail:
        `--write-imports ${this.#file} holds the blocks of one configuration, and these are ${stacks.length} stacks: ` +
        `${stacks.map(({ name }) => name).join(", ")}. Nothing was planned. Choose one with --stack NAME.`,
    });
  }

  /** Adds the imports of a plan. Returns warnings about those that are not written. */
  keep({ changes }: Pick<Plan, "changes">): Diagnostic[] {
    return changes.flatMap((change) => {
      const { address, construct, importing } = change;
      if (importing?.existing !== true) return [];
      if (shownImportId(change) !== importing.id) return [sensitiveId(address, construct, this.#file)];
      this.#imports.push({ address, id: importing.id });
      return [];
    });
  }

  /** Writes the file, unless there is nothing to import. */
  async write(view: RunView): Promise<void> {
    const { length } = this.#imports;
    if (length === 0) {
      view.notice(`Nothing to import: ${this.#file} was not written.`);
      return;
    }
    const format = this.#file.endsWith(".json") ? "json" : "hcl";
    try {
      const target = await resolveLinks(path.resolve(this.#terminal.folder, this.#file));
      requireRegularFile(target);
      await replaceFile(target, [printImportBlocks(this.#imports, format)]);
    } catch (problem) {
      fail({
        code: "imports_not_written",
        summary: "Import blocks can't be written",
        detail: `${this.#file} can't be written (${describeFileProblem(problem)}). Nothing was changed. Give a path in an existing, writable folder.`,
      });
    }
    view.notice(`Wrote ${length} import ${length === 1 ? "block" : "blocks"} to ${this.#file}.`);
  }
}

const sensitiveId = (address: string, construct: string | undefined, file: string): Diagnostic =>
  warning({
    code: "import_id_sensitive",
    summary: "Import block left out: its id is sensitive",
    detail:
      `The id by which this object is imported contains a sensitive value, which is not written to ${file}. ` +
      "Write its block by hand, with the variable in its place.",
    address,
    ...(construct !== undefined && { construct }),
  });

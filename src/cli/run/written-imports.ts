import path from "node:path";
import { type ImportBlock, printImportBlocks } from "../../adopt";
import { type Diagnostic, fail, warning } from "../../diagnostics";
import { changingOf, type OpenStack, type Plan, shownImportId } from "../../engine";
import { describeFileProblem, replaceFile, requireRegularFile, resolveLinks } from "../../files";
import { counted, shellWord } from "../../text";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";

/** Collects what a plan would take over, and writes import blocks of it for Terraform. */
export class WrittenImports {
  readonly #imports: ImportBlock[] = [];
  #isRefused = false;

  constructor(
    private readonly file: string,
    private readonly terminal: Pick<Terminal, "folder">,
  ) {}

  /** Blocks name no stack: those of several stacks can't be in one file. */
  checkStacks(stacks: readonly Pick<OpenStack, "name">[]): void {
    requireOneStack("--write-imports", this.file, stacks);
  }

  /** Adds the imports of a plan. Returns warnings about those that are not written. */
  keep(plan: Pick<Plan, "changes" | "changing">): Diagnostic[] {
    return changingOf(plan).flatMap((change) => {
      const { address, construct, importing } = change;
      if (importing?.existing !== true) return [];
      if (shownImportId(change) !== importing.id) return [sensitiveId(address, construct, this.file)];
      this.#imports.push({ address, id: importing.id });
      return [];
    });
  }

  /** A limit refuses these imports: no blocks of them are written. */
  refuse(): void {
    this.#isRefused = true;
  }

  /** Writes the file, unless there is nothing to import. */
  async write(view: RunView): Promise<void> {
    if (this.#isRefused) return;
    const { length } = this.#imports;
    if (length === 0) {
      view.notice(`Nothing to import: ${this.file} was not written.`);
      return;
    }
    const format = this.file.endsWith(".json") ? "json" : "hcl";
    await writeBlocks(this.file, printImportBlocks(this.#imports, format), this.terminal);
    view.notice(`Wrote ${counted(length, "import block")} to ${this.file}.`);
  }
}

/** Collects the moves of a plan, and writes moved blocks of them for Terraform, which finds none by identity. */
export class WrittenMoves {
  readonly #moves: { readonly from: string; readonly to: string }[] = [];
  readonly #forgotten: string[] = [];

  constructor(
    private readonly file: string,
    private readonly terminal: Pick<Terminal, "folder">,
  ) {}

  checkStacks(stacks: readonly Pick<OpenStack, "name">[]): void {
    requireOneStack("--write-moves", this.file, stacks);
  }

  keep(plan: Pick<Plan, "changes" | "changing">): void {
    for (const { action, address, previousAddress } of changingOf(plan)) {
      if (previousAddress !== undefined) this.#moves.push({ from: previousAddress, to: address });
      if (action === "forget") this.#forgotten.push(address);
    }
  }

  /** Writes the file, unless nothing moves. */
  async write(view: RunView): Promise<void> {
    const { length } = this.#moves;
    if (this.#forgotten.length > 0) {
      view.notice(
        "Terraform forgets no instance by itself. To take what this plan forgets out of its state, run:",
      );
      view.notice(`terraform state rm ${this.#forgotten.map(shellWord).join(" ")}`);
    }
    if (length === 0) {
      view.notice(`Nothing moves: ${this.file} was not written.`);
      return;
    }
    const text = this.file.endsWith(".json")
      ? `${JSON.stringify({ moved: this.#moves }, undefined, 2)}\n`
      : `${this.#moves.map(({ from, to }) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`).join("\n")}`;
    await writeBlocks(this.file, text, this.terminal);
    view.notice(`Wrote ${counted(length, "moved block")} to ${this.file}.`);
  }
}

async function writeBlocks(file: string, text: string, { folder }: Pick<Terminal, "folder">): Promise<void> {
  try {
    const target = await resolveLinks(path.resolve(folder, file));
    requireRegularFile(target);
    await replaceFile(target, [text]);
  } catch (problem) {
    fail({
      code: "imports_not_written",
      summary: "Blocks can't be written",
      detail: `${file} can't be written (${describeFileProblem(problem)}). Nothing was changed. Give a path in an existing, writable folder.`,
    });
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

function requireOneStack(option: string, file: string, stacks: readonly Pick<OpenStack, "name">[]): void {
  if (stacks.length < 2) return;
  fail({
    code: "invalid_arguments",
    summary: "Blocks of several stacks",
    detail:
      `${option} ${file} holds the blocks of one configuration, and these are ${stacks.length} stacks: ` +
      `${stacks.map(({ name }) => name).join(", ")}. Nothing was planned. Choose one with --stack NAME.`,
  });
}

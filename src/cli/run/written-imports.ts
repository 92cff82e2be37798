import path from "node:path";
import type { ImportBlock } from "../../adopt";
import { type Diagnostic, fail, warning } from "../../diagnostics";
import { changingOf, type OpenStack, type Plan, shownImportId } from "../../engine";
import { describeFileProblem, writeUserFile } from "../../files";
import { counted, shellWord } from "../../text";
import { invalid } from "../arguments/option";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";

/** A file of blocks for Terraform, of the plan of one stack. */
abstract class WrittenBlocks {
  protected abstract readonly option: string;

  constructor(
    protected readonly file: string,
    private readonly terminal: Pick<Terminal, "folder">,
  ) {}

  /** Blocks name no stack: those of several stacks can't be in one file. */
  expect(stacks: readonly Pick<OpenStack, "name">[]): void {
    if (stacks.length < 2) return;
    invalid(
      "Blocks of several stacks",
      `${this.option} ${this.file} holds the blocks of one configuration, and these are ${stacks.length} stacks: ` +
        `${stacks.map(({ name }) => name).join(", ")}. Nothing was planned. Choose one with --stack NAME.`,
    );
  }

  /** Whether the file is in JSON, by its name. */
  protected get isJson(): boolean {
    return this.file.endsWith(".json");
  }

  /** @param blocks such as `2 import blocks` */
  protected async writeBlocks(text: string, blocks: string, view: RunView): Promise<void> {
    await writeUserFile(path.resolve(this.terminal.folder, this.file), text).catch((problem) =>
      fail({
        code: "imports_not_written",
        summary: "Blocks can't be written",
        detail: `${this.file} can't be written (${describeFileProblem(problem)}). Nothing was changed. Give a path in an existing, writable folder.`,
      }),
    );
    view.notice(`Wrote ${blocks} to ${this.file}.`);
  }
}

/** Collects what a plan would take over, and writes import blocks of it for Terraform. */
export class WrittenImports extends WrittenBlocks {
  protected readonly option = "--write-imports";
  readonly #imports: ImportBlock[] = [];
  #isRefused = false;

  /** Adds the imports of a plan. Returns warnings about those that are not written. */
  keep(plan: Pick<Plan, "changes" | "changing">): Diagnostic[] {
    return changingOf(plan).flatMap((change) => {
      const { address, construct, importing } = change;
      if (importing?.existing !== true) return [];
      if (shownImportId(change) === importing.id) {
        this.#imports.push({ address, id: importing.id });
        return [];
      }
      return warning({
        code: "import_id_sensitive",
        summary: "Import block left out: its id is sensitive",
        detail:
          `The id by which this object is imported contains a sensitive value, which is not written to ${this.file}. ` +
          "Write its block by hand, with the variable in its place.",
        address,
        ...(construct !== undefined && { construct }),
      });
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
    if (length === 0) return view.notice(`Nothing to import: ${this.file} was not written.`);
    // Loaded on use: other plans need no writers of configurations.
    const { printImportBlocks }: typeof import("../../adopt") = require("../../adopt");
    const text = printImportBlocks(this.#imports, this.isJson ? "json" : "hcl");
    await this.writeBlocks(text, counted(length, "import block"), view);
  }
}

/** Collects the moves of a plan, and writes moved blocks of them for Terraform, which finds none by identity. */
export class WrittenMoves extends WrittenBlocks {
  protected readonly option = "--write-moves";
  readonly #moves: { readonly from: string; readonly to: string }[] = [];
  readonly #forgotten: string[] = [];

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
    if (length === 0) return view.notice(`Nothing moves: ${this.file} was not written.`);
    const text = this.isJson
      ? `${JSON.stringify({ moved: this.#moves }, undefined, 2)}\n`
      : `${this.#moves.map(({ from, to }) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`).join("\n")}`;
    await this.writeBlocks(text, counted(length, "moved block"), view);
  }
}

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { JsonRunView } from "../../../../src/cli/views/json/json-run-view";
import { RunView } from "../../../../src/cli/views/run-view";
import { UNKNOWN } from "../../../../src/schema";
import { emptyState } from "../../../../src/state/model/model";
import { describeWith } from "../../../support/capabilities";
import { change, output, plan } from "../../support/models";
import { fakeTerminal } from "../../support/terminal";

type Line = Record<string, unknown> & { type: string };

const parse = (text: string): Line[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** Returns the lines that a view writes for these calls. */
async function linesOf(show: (view: RunView) => void): Promise<Line[]> {
  const terminal = fakeTerminal();
  const view = new RunView(new JsonRunView(terminal));
  show(view);
  await view.end();
  expect(terminal.written.err).toBe("");
  return parse(terminal.written.out);
}

describeWith("engine", "JSON events, compared with a real engine", (program) => {
  let folder: string;
  const engine = (...args: string[]) =>
    spawnSync(program, args, {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, CHECKPOINT_DISABLE: "1" },
    });

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-json-"));
    const configuration = {
      resource: { terraform_data: { one: { input: "x" } } },
      output: { id: { value: "${terraform_data.one.id}" } },
    };
    writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(configuration));
    expect(engine("init").status).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Returns the names and types of a line's fields, at all depths that do not depend on the resource. The fields `ours` are
   * left out.
   */
  const shape = (line: Line, ...ours: string[]): unknown =>
    JSON.parse(
      JSON.stringify(line, (name, value: unknown) => {
        if (ours.includes(name) || name === "terraform") return undefined;
        if (name === "outputs" || name === "changes") return value;
        return typeof value === "object" ? value : typeof value;
      }),
    );

  test("each JSON event of Steward has the same fields as Terraform's event of the same type", async () => {
    const theirs = parse(engine("apply", "-json", "-auto-approve").stdout);
    const address = "terraform_data.one";
    const id = theirs.find(({ type }) => type === "apply_complete")!["hook"] as { id_value: string };
    const lines = await linesOf((view) => {
      view.plan(
        plan({
          changes: [change({ address, action: "create", before: null, after: {} })],
          outputs: [output({ name: "id", action: "create", after: UNKNOWN })],
          summary: { add: 1, change: 0, remove: 0, import: 0, move: 0 },
        }),
      );
      view.tell({ kind: "engine", event: { kind: "apply_start", address, action: "create" } });
      view.tell({
        kind: "engine",
        event: { kind: "apply_complete", address, action: "create", id: id.id_value, milliseconds: 12 },
      });
      view.applied("normal", {
        state: {
          ...emptyState(),
          outputs: { id: { value: id.id_value, type: "string", sensitive: false } },
        },
        diagnostics: [],
        unchecked: [],
        done: { add: 1, change: 0, remove: 0, import: 0, move: 0 },
      });
    });
    const sorted = (all: Line[], ...ours: string[]) =>
      all
        .map((line) => shape(line, ...ours))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(sorted(lines, "steward")).toEqual(sorted(theirs));
  });
});

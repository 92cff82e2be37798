import type { Diagnostic } from "../../src/diagnostics";
import type { StoredState } from "../../src/framework/protocol/protocol";
import { runs } from "../support/capabilities";
import type { Answer, Passage } from "../support/http-proxy";
import { appliedBy, changedInPlace, describeEvery, expectGone, isSent, SAMPLES } from "./samples";
import { recordAnswer, useRunsBehind } from "./support/behind";
import { Host } from "./support/host";
import { useWorld } from "./support/world";

// A response to a change may come from a proxy instead of the service. Each lifecycle meets each response that proves nothing,
// with and without an effect on the service, under both hosts. A read of the service decides.

const world = useWorld();
const behind = useRunsBehind();

const page = (status: number, type: string, text: string, more = {}): Answer => ({
  status,
  headers: { "content-type": type, ...more },
  body: Buffer.from(text),
});
const bare = (status: number): Answer => ({ status, headers: {}, body: Buffer.alloc(0) });

/** The fields by which a response names its object. */
const NAMES = ["id", "name", "repository_path_pattern", "target_project_id", "target_group_id"];

/** A response about another object; undefined where a response names none. */
function renamed(record: Readonly<Record<string, unknown>>): object | undefined {
  const others = NAMES.flatMap((name) => {
    const value = record[name];
    if (typeof value === "number") return [[name, value + 4711]];
    return typeof value === "string" ? [[name, `${value}-other`]] : [];
  });
  return others.length === 0 ? undefined : { ...record, ...Object.fromEntries(others) };
}

/** The false responses, by the true one; undefined where a false one would be a success. */
const ROWS: Readonly<Record<string, (real: Answer) => Answer | undefined>> = {
  "a sign-in page": () => page(200, "text/html", "<title>Sign in</title>"),
  "200 with an error object": () => recordAnswer(200, { message: "401 Unauthorized" }),
  "202": () => bare(202),
  "204 where a body is due": ({ body }) => (body.length === 0 ? undefined : bare(204)),
  "a body where none is due": ({ body }) =>
    body.length === 0 ? recordAnswer(200, { status: "ok" }) : undefined,
  "a list for an object": ({ status }) => recordAnswer(status === 204 ? 200 : status, []),
  "an object of another id or name": ({ status, body }) => {
    const other = body.length === 0 ? undefined : renamed(JSON.parse(body.toString()));
    return other && recordAnswer(status, other);
  },
  "truncated JSON": ({ body }) => page(200, "application/json", body.toString().slice(0, -1) || "{"),
  "a wrong content type": ({ body }) => page(200, "text/plain", body.toString() || "OK"),
  "a redirect to a page": () => page(302, "text/html", "", { location: "/users/sign_in" }),
  "a 404 with a page": () => page(404, "text/html", "<title>Not found</title>"),
};

/** Returns the response to a change that never reaches the service. */
function unreached({ method, url }: Passage): Answer {
  if (method === "DELETE" || url.endsWith("/job_token_scope")) return bare(204);
  return recordAnswer(method === "POST" ? 201 : 200, { id: 1, name: "x", target_project_id: 1 });
}

const TYPES = Object.keys(SAMPLES);
type Operation = "create" | "update" | "destroy";
const OPERATIONS: readonly Operation[] = ["create", "update", "destroy"];

/** The false responses that some operations do not have, by the body of the true one: these rows are played for each operation. */
const OF_BODIES = ["204 where a body is due", "a body where none is due", "an object of another id or name"];

/**
 * The operations that meet a response. All operations share the code that reads a response. `npm test` plays one operation for each
 * resource and response, in turn: each resource, operation and response meets each of the others. The soak plays all.
 */
function operationsOf(type: string, row: string, rows: readonly string[]): readonly Operation[] {
  const { writes } = SAMPLES[type]!;
  const all = OPERATIONS.filter(
    (one) => one === "create" || isSent(one === "update" ? writes.update : writes.destroy),
  );
  if (OF_BODIES.includes(row)) return all;
  const turn = TYPES.indexOf(type) + rows.indexOf(row);
  return runs([all[turn % all.length]!], all);
}

/** Both hosts share the code that follows a write; under Terraform one row of each kind shows it. */
const HOSTS = [
  ["steward", Object.keys(ROWS)],
  ["terraform", ["a sign-in page", "202", "a redirect to a page"]],
] as const;

describeEvery((type, sample) => {
  const host = () => new Host(world(), type);

  /** Starts a run in which all changes get this response. The service executes the changes, or never receives them. */
  async function runOf(row: string, isExecuted: boolean, as: (typeof HOSTS)[number][0]) {
    let lies = 0;
    const connect = await behind(world(), async (passage) => {
      if (!passage.isWrite) return undefined;
      const real = isExecuted ? await passage.forward() : unreached(passage);
      const lie = ROWS[row]!(real);
      lies += lie === undefined ? 0 : 1;
      return lie ?? (isExecuted ? real : undefined);
    });
    return { run: connect(appliedBy(type), as), isTruthful: () => lies === 0 };
  }

  /** Expects only one warning for each operation. */
  function expectProven(diagnostics: readonly Diagnostic[]): void {
    expect(diagnostics.filter(({ code }) => code !== "proven_by_reading")).toEqual([]);
    expect(new Set(diagnostics.map(({ cause }) => cause)).size).toBe(diagnostics.length);
  }

  /** Expects an error with the result of the read. Pages of one server have the same cause. */
  const expectUnproven = (diagnostics: readonly Diagnostic[], row: string): void => {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.length).toBeGreaterThan(0);
    for (const { code } of errors) expect(["unexpected_answer", "redirect_refused"]).toContain(code);
    const isPage = ["a sign-in page", "a 404 with a page"].includes(row);
    expect(new Set(errors.map(({ cause }) => cause))).toEqual(
      new Set([isPage ? "page after a change" : undefined]),
    );
    // One of several changes may have been executed. With 202 the service may still execute one.
    if (errors.length > 1 || row === "202") return;
    expect(errors[0]!.detail).toContain("A read afterwards shows that the change was not executed.");
    expect(errors[0]!.detail).not.toContain("may have been executed");
  };

  /** The state equals the live object. */
  const expectLive = async (state: StoredState): Promise<void> => {
    expect((await host().refresh(state))?.attributes).toEqual(state.attributes);
  };

  describe.each(HOSTS)("under %s", (as, rows) => {
    describe.each(rows)("%s", (row) => {
      const operations = operationsOf(type, row, rows);
      if (operations.includes("create")) {
        test("if a read shows that the service executed a create, the create succeeds; if not, it fails without a state", async () => {
          const { config } = sample;
          const { run, isTruthful } = await runOf(row, false, as);
          const failed = await host().apply(await host().plan(undefined, config), run);
          if (isTruthful()) return;
          expectUnproven(failed.diagnostics, row);
          expect(failed.state).toBeUndefined();
          const through = await runOf(row, true, as);
          const made = await host().apply(await host().plan(undefined, config), through.run);
          expectProven(made.diagnostics);
          expect(await host().drift(made.state!, config)).toEqual([]);
        });
      }

      if (operations.includes("update")) {
        test("if a read shows that the service executed an update, the update succeeds; if not, the state stays unchanged", async () => {
          const state = await host().bring(undefined, sample.config);
          const changed = changedInPlace(type);
          const plan = await host().plan(state, changed);
          const { run, isTruthful } = await runOf(row, false, as);
          const failed = await host().apply(plan, run);
          if (isTruthful()) return;
          expectUnproven(failed.diagnostics, row);
          await expectLive(failed.state!);
          const through = await runOf(row, true, as);
          const made = await host().apply(plan, through.run);
          expectProven(made.diagnostics);
          expect(await host().drift(made.state!, changed)).toEqual([]);
        });
      }

      if (operations.includes("destroy")) {
        test("if a read shows that the service executed a destroy, the destroy succeeds; if not, the object stays in the state", async () => {
          const state = await host().bring(undefined, sample.config);
          const { run, isTruthful } = await runOf(row, false, as);
          const failed = await host().destroy(state, run);
          if (isTruthful()) return;
          expectUnproven(failed.diagnostics, row);
          await expectLive(failed.state!);
          const through = await runOf(row, true, as);
          const { state: left, diagnostics } = await host().destroy(state, through.run);
          expect(left).toBeUndefined();
          expectProven(diagnostics);
          await expectGone(type, world().http);
        });
      }
    });
  });
});

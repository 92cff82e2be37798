import type { Diagnostic } from "../../src/diagnostics";
import type { StoredState } from "../../src/framework/protocol/protocol";
import { runs } from "../support/capabilities";
import type { Answer, Passage } from "../support/http-proxy";
import { appliedBy, changedInPlace, describeEvery, expectGone, isSent, SAMPLES } from "./samples";
import { recordAnswer, useRunsBehind } from "./support/behind";
import { Host } from "./support/host";
import { useWorld } from "./support/world";

// The response to a change can come from a proxy, and then the response proves nothing. Steward reads the service to
// find the outcome. Every resource is tested with each of these responses: once if the service executed the change, and
// once if it did not. With the embedded engine, all responses are tested. Under Terraform, only three of the responses
// are tested.

const world = useWorld();
const behind = useRunsBehind();

const page = (status: number, type: string, text: string, more = {}): Answer => ({
  status,
  headers: { "content-type": type, ...more },
  body: Buffer.from(text),
});
const bare = (status: number): Answer => ({ status, headers: {}, body: Buffer.alloc(0) });

/** The fields in which a response identifies its object. */
const NAMES = ["id", "name", "repository_path_pattern", "target_project_id", "target_group_id"];

/** Returns a response about another object. Undefined if the response names no object. */
function renamed(record: Readonly<Record<string, unknown>>): object | undefined {
  const others = NAMES.flatMap((name) => {
    const value = record[name];
    if (typeof value === "number") return [[name, value + 4711]];
    return typeof value === "string" ? [[name, `${value}-other`]] : [];
  });
  return others.length === 0 ? undefined : { ...record, ...Object.fromEntries(others) };
}

/**
 * The responses that prove nothing. Each response is made from the true response. Undefined if the changed response
 * would be correct for this operation.
 */
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

/** Returns the true response that a change would have got, for a change that the service never receives. */
function unreached({ method, url }: Passage): Answer {
  if (method === "DELETE" || url.endsWith("/job_token_scope")) return bare(204);
  return recordAnswer(method === "POST" ? 201 : 200, { id: 1, name: "x", target_project_id: 1 });
}

const TYPES = Object.keys(SAMPLES);
type Operation = "create" | "update" | "destroy";
const OPERATIONS: readonly Operation[] = ["create", "update", "destroy"];

/**
 * The responses that differ by operation, because the body of the true response differs by operation. These responses
 * are tested with each operation.
 */
const OF_BODIES = ["204 where a body is due", "a body where none is due", "an object of another id or name"];

/**
 * Returns the operations that are tested with a response. All operations share the code that reads responses. So `npm
 * test` tests one operation for each resource and response, in turns: each operation is tested with each resource and
 * with each response. The soak tests all combinations.
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

/**
 * The responses for each host. Both hosts share the code that runs after a write, so one response of each kind is
 * enough under Terraform.
 */
const HOSTS = [
  ["steward", Object.keys(ROWS)],
  ["terraform", ["a sign-in page", "202", "a redirect to a page"]],
] as const;

describeEvery((type, sample) => {
  const host = () => new Host(world(), type);

  /**
   * Starts a run in which every change gets this response. If `isExecuted` is true, the service executes the changes;
   * otherwise, it never receives them.
   */
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

  /** Expects exactly one warning for each change, and no other diagnostic. */
  function expectProven(diagnostics: readonly Diagnostic[]): void {
    expect(diagnostics.filter(({ code }) => code !== "proven_by_reading")).toEqual([]);
    expect(new Set(diagnostics.map(({ cause }) => cause)).size).toBe(diagnostics.length);
  }

  /** Expects an error that contains the result of the read. All errors that HTML pages cause have the same cause. */
  const expectUnproven = (diagnostics: readonly Diagnostic[], row: string): void => {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.length).toBeGreaterThan(0);
    for (const { code } of errors) expect(["unexpected_answer", "redirect_refused"]).toContain(code);
    const isPage = ["a sign-in page", "a 404 with a page"].includes(row);
    expect(new Set(errors.map(({ cause }) => cause))).toEqual(
      new Set([isPage ? "page after a change" : undefined]),
    );
    // With several changes, the service may have executed some of them. With status 202, the service can execute the
    // change later. Then the error says that the outcome is unknown.
    if (errors.length > 1 || row === "202") return;
    expect(errors[0]!.detail).toContain("A read afterwards shows that the change was not executed.");
    expect(errors[0]!.detail).not.toContain("may have been executed");
  };

  /** Expects that the state equals the live object. */
  const expectLive = async (state: StoredState): Promise<void> => {
    expect((await host().refresh(state))?.attributes).toEqual(state.attributes);
  };

  describe.each(HOSTS)("under %s", (as, rows) => {
    describe.each(rows)("%s", (row) => {
      const operations = operationsOf(type, row, rows);
      if (operations.includes("create")) {
        test("if a read shows that the service executed a create, the create succeeds; otherwise, the create fails without a state", async () => {
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
        test("if a read shows that the service executed an update, the update succeeds; otherwise, the state stays unchanged", async () => {
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
        test("if a read shows that the service executed a destroy, the destroy succeeds; otherwise, the object stays in the state", async () => {
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

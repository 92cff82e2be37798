import type { ApplyArguments } from "../../../src/cli/arguments/plan";
import { applyWaves } from "../../../src/cli/commands/apply";
import type { RunView } from "../../../src/cli/views/run-view";
import type { ApplyResult, ExecutablePlan, OpenStack, ResourceChange } from "../../../src/engine";

const change = (project: string, enabled: boolean): ResourceChange =>
  ({
    ...{ address: `steward_job_token_scope.${project}`, mode: "managed", action: "update" },
    ...{ after: { inbound_enabled: enabled }, container: { kind: "project", name: `acme/${project}` } },
  }) as unknown as ResourceChange;
const planOf = (...changes: readonly ResourceChange[]) =>
  ({ changes, applicable: true, diagnostics: [] }) as unknown as ExecutablePlan;

/** Applies an approved plan of two projects, one project at a time. `plans` has the stack's plan for each project. */
async function apply(plans: Readonly<Record<string, ExecutablePlan>>) {
  const sent: string[] = [];
  const stack = {
    recover: async () => undefined,
    plan: async ({ containers }: { containers?: readonly string[] }) =>
      plans[containers?.[0] ?? "rest"] ?? planOf(),
    apply: async ({ changes }: ExecutablePlan): Promise<Partial<ApplyResult>> => {
      sent.push(...changes.map(({ address }) => address));
      return { diagnostics: [], done: { add: 0, change: changes.length, remove: 0, import: 0, move: 0 } };
    },
  } as unknown as OpenStack;
  const view = { notice: () => undefined } as unknown as RunView;
  const approved = planOf(change("a", true), change("b", true));
  const applied = applyWaves(stack, view, approved, { wave: 1 } as ApplyArguments);
  return { sent, applied };
}

test("apply sends no change of a wave that contains an unapproved change", async () => {
  const { sent, applied } = await apply({ "acme/a": planOf(change("a", false)) });
  await expect(applied).rejects.toThrow(
    /does not contain these changes of this wave: steward_job_token_scope.a/,
  );
  expect(sent).toEqual([]);
});

test("if a later wave contains an unapproved change, the result contains the earlier changes and the error", async () => {
  const { sent, applied } = await apply({
    "acme/a": planOf(change("a", true)),
    "acme/b": planOf(change("b", true), change("c", true)),
  });
  expect(await applied).toMatchObject({
    done: { change: 1 },
    diagnostics: [{ code: "wave_differs", detail: expect.stringContaining("steward_job_token_scope.c") }],
  });
  expect(sent).toEqual(["steward_job_token_scope.a"]);
});

test("if a change becomes unnecessary before its wave, apply leaves out only that change", async () => {
  const { sent, applied } = await apply({ "acme/a": planOf(), "acme/b": planOf(change("b", true)) });
  expect(await applied).toMatchObject({ done: { change: 1 }, diagnostics: [] });
  expect(sent).toEqual(["steward_job_token_scope.b"]);
});

test("if the plan of a wave can't be applied, the apply stops, reports the plan's errors, and keeps earlier changes", async () => {
  const problem = { severity: "error", code: "fleet_not_recorded", detail: "It is unknown." };
  const refused = { ...planOf(), applicable: false, diagnostics: [problem] } as unknown as ExecutablePlan;
  const { sent, applied } = await apply({ "acme/a": planOf(change("a", true)), "acme/b": refused });
  expect(await applied).toMatchObject({ done: { change: 1 }, diagnostics: [problem] });
  expect(sent).toEqual(["steward_job_token_scope.a"]);
});

/** The files that a plan job leaves. */
export type PlanFiles = Readonly<Record<"plan.json" | "changes.json", string>>;

type Files = Readonly<Record<string, string>>;
/** Changes the value in a JSON text, and returns the new text. */
export const edited = (text: string, edit: (json: Record<string, unknown>) => object): string =>
  `${JSON.stringify(edit(JSON.parse(text) as Record<string, unknown>), null, 2)}\n`;
/** Files of a plan job that Steward must refuse. */
export const FORGED: Readonly<Record<string, (files: PlanFiles) => Files>> = {
  "no file": () => ({}),
  "no approval file": ({ "plan.json": report }) => ({ "plan.json": report }),
  "a text": (files) => ({ ...files, "changes.json": "none" }),
  "nested lists": (files) => ({ ...files, "plan.json": "[".repeat(100_000) }),
  "an approval of another plan": (files) => ({
    ...files,
    "changes.json": edited(files["changes.json"], (json) => ({ ...json, changes: [] })),
  }),
  "a repeated key": (files) => ({
    ...files,
    "changes.json": files["changes.json"].replace("{", '{\n  "approvals": 1,'),
  }),
  "an unknown key": (files) => ({
    ...files,
    "changes.json": edited(files["changes.json"], (json) => ({ ...json, more: true })),
  }),
  "no approvals": (files) => ({
    ...files,
    "changes.json": edited(files["changes.json"], (json) => ({ ...json, approvals: 0 })),
  }),
  "other policies": (files) => ({
    ...files,
    "changes.json": edited(files["changes.json"], (json) => ({ ...json, policies: "f".repeat(64) })),
  }),
  "no policies": (files) => ({
    ...files,
    "changes.json": edited(files["changes.json"], (json) => ({ ...json, policies: null })),
  }),
  "a plan without a checkout of the target branch": (files) => ({
    ...files,
    "changes.json": edited(files["changes.json"], ({ rule_changes: _, ...json }) => json),
  }),
  "changed rules that the checkout does not have": (files) => ({
    ...files,
    "changes.json": edited(files["changes.json"], (json) => ({
      ...json,
      rule_changes: [{ what: "strengthens two-approvals: 1 → 2" }],
    })),
  }),
  "the report of a drift run": (files) => ({
    ...files,
    "plan.json": edited(files["plan.json"], (json) => ({ ...json, command: "drift" })),
  }),
  "the report of another commit": (files) => ({
    ...files,
    "plan.json": edited(files["plan.json"], (json) => ({ ...json, run: { commit: "c".repeat(40) } })),
  }),
};

import type { DriftReport, OutputChange, Plan, ResourceChange } from "../../../src/engine";
import {
  type Attributes,
  computed,
  managed,
  optional,
  optionalComputed,
  required,
} from "../../../src/schema";

const text = { description: "" };

/** A schema with one attribute for each kind of attribute that the views show differently. */
export const ATTRIBUTES: Attributes = {
  id: computed.string(text),
  project: required.string(text),
  enabled: optionalComputed.bool(text),
  level: optional.number(text),
  targets: managed.setOfStrings(text),
  steps: optional.listOfStrings(text),
  rules: optionalComputed.setOf({ user: optional.string(text), count: optionalComputed.number(text) }, text),
  secret: optional.string({ ...text, sensitive: true }),
  note: optional.string(text),
};

/** Returns a change of `acme_thing.one`, with defaults for all other fields. */
export const change = (
  parts: Partial<ResourceChange> & Pick<ResourceChange, "action" | "before" | "after">,
): ResourceChange => ({
  address: "acme_thing.one",
  mode: "managed",
  type: "acme_thing",
  name: "one",
  provider: "registry.example/acme/acme",
  beforeSensitive: [],
  afterSensitive: [],
  replacePaths: [],
  attributes: ATTRIBUTES,
  ...parts,
});

/** Returns the given number of checked objects. */
export const objects = (count: number): DriftReport["objects"] =>
  Array.from({ length: count }, (_, index) =>
    change({ address: `acme_thing.n${index}`, action: "no-op", before: {}, after: {} }),
  );

export const output = (
  parts: Partial<OutputChange> & Pick<OutputChange, "name" | "action">,
): OutputChange => ({
  before: null,
  after: null,
  sensitive: false,
  ...parts,
});

/** Returns a plan with these parts. All other parts of the plan are empty. */
export const plan = (parts: Partial<Plan> = {}): Plan => ({
  mode: "normal",
  applicable: true,
  complete: true,
  changes: [],
  drift: [],
  outputs: [],
  relevantAttributes: [],
  checks: [],
  diagnostics: [],
  unchecked: [],
  blocked: [],
  summary: { add: 0, change: 0, remove: 0, import: 0, move: 0 },
  hasChanges:
    (parts.changes ?? []).some(({ action }) => action !== "no-op") || (parts.outputs ?? []).length > 0,
  basis: {
    timestamp: "2026-11-21T15:20:45Z",
    variables: {},
    sensitiveVariables: [],
    priorState: undefined,
    configuration: {},
  },
  ...parts,
});

import { computed, leftAlone, managed, required, unset } from "../../../src/schema";

const text = { description: "An attribute." };

/** Attributes of every type that a schema can have. */
export const EVERY_TYPE = {
  id: computed.string(text),
  project: required.reference("project", text),
  name: unset.string(text),
  count: unset.number(text),
  enabled: leftAlone.bool(text),
  targets: managed.setOfReferences("project", text),
  tags: unset.listOfStrings(text),
  rules: leftAlone.setOf({ user: unset.string(text), level: unset.number({ ...text, default: 1 }) }, text),
  steps: unset.listOf({ name: required.string(text), port: unset.number(text) }, text),
};

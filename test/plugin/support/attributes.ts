import { computed, managed, optional, optionalComputed, required } from "../../../src/schema";

const text = { description: "An attribute." };

/** A schema with an attribute of every type that exists. */
export const EVERY_TYPE = {
  id: computed.string(text),
  project: required.reference("project", text),
  name: optional.string(text),
  count: optional.number(text),
  enabled: optionalComputed.bool(text),
  targets: managed.setOfReferences("project", text),
  tags: optional.listOfStrings(text),
  rules: optionalComputed.setOf(
    { user: optional.string(text), level: optional.number({ ...text, default: 1 }) },
    text,
  ),
  steps: optional.listOf({ name: required.string(text), port: optional.number(text) }, text),
};

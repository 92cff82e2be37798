import { createProvider } from "../../src/provider";
import { type Attributes, isNested } from "../../src/schema";

// Tests the descriptions of attributes, which Terraform, editors and generated pages show.

/** Returns the description of each attribute, by its path. */
function describedIn(attributes: Attributes, path: string): (readonly [path: string, description: string])[] {
  return Object.entries(attributes).flatMap(([name, { type, text }]) => [
    [`${path}.${name}`, text.description] as const,
    ...(isNested(type) ? describedIn(type.nested, `${path}.${name}`) : []),
  ]);
}

const { provider, resources, dataSources } = createProvider().schema;
const schemas = { provider, ...resources, ...dataSources };

test.each(Object.entries(schemas))(
  "each description in the schema of %s consists of sentences",
  (name, schema) => {
    const texts = [[name, schema.description] as const, ...describedIn(schema.attributes, name)];
    expect(texts.filter(([, text]) => !/^[A-Z`].*[.)`]$/s.test(text))).toEqual([]);
  },
);

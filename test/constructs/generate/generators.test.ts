import path from "node:path";
import { constructs } from "../../../scripts/generate/constructs";
import { differences } from "../../../scripts/generate/generated-files";
import { generators } from "../../../scripts/generate/generators";
import { referencePages } from "../../../scripts/generate/reference-pages";
import { uncoveredText } from "../../../scripts/generate/specification-page";
import type { ResourceDefinition } from "../../../src/framework/definition/definition";
import { createProvider } from "../../../src/provider";
import { jobTokenScope } from "../../../src/provider/resources/job-token-scope";
import { type Attributes, optional, required } from "../../../src/schema";

// Other tests read the committed classes, pages and examples. These tests check that the generators still write the same
// files from the schema. The tests also check the output for kinds of attributes that this provider does not have.

const ROOT = path.join(__dirname, "../../..");
const text = { description: "Taken." };

it.each(generators().map((generator) => [generator.place, generator] as const))(
  "the committed text of %s equals the output of its generator",
  async (_, generator) => {
    expect(await differences(ROOT, [generator])).toEqual([]);
  },
);

it("the last line of generate counts the rows of the specification without a test", () => {
  const row = (field: string) => ({ method: "GET", route: "/things", place: "answer" as const, field });
  const rows = [row("id"), row("name"), row("size")];
  expect(uncoveredText(rows, { "GET /things answer id": ["client: things.list"] })).toBe(
    "2 rows of docs/specification.md are not covered by a test: run npm run specification\n",
  );
  expect(uncoveredText(rows.slice(0, 1), { "GET /things answer id": ["client: things.list"] })).toBe("");
});

/** Generates the class of a thing with these attributes. */
async function sourceOf(attributes: Attributes): Promise<string> {
  const files = await constructs({
    source: "registry.steward.example/steward/steward",
    provider: { version: 0, description: "Things.", attributes: {} },
    resources: { steward_thing: { version: 0, description: "A thing.", attributes } },
    dataSources: {},
  }).generate();
  return files.get("src/constructs/generated/thing/index.ts")!;
}

it("in generated code, comment marks in a description can't end the comment early", async () => {
  const source = await sourceOf({ glob: required.string({ description: "As `src/**/*.ts` or `*/x`." }) });
  const before = source.slice(0, source.indexOf("readonly glob:"));
  expect(before.slice(before.lastIndexOf("/**")).match(/\*\//g)).toHaveLength(1);
});

it.each<[string, Attributes, string]>([
  ["a method of every object", { to_string: required.string(text) }, "Thing.toString"],
  ["a member of every construct", { fqn: required.string(text) }, "Thing.fqn"],
  [
    "the input property of another attribute",
    { size: optional.number(text), size_input: optional.number(text) },
    "Thing.sizeInput",
  ],
  [
    "the reset method of another attribute",
    { size: optional.number(text), reset_size: optional.bool(text) },
    "Thing.resetSize",
  ],
  [
    "a member of every element",
    { rules: required.setOf({ internal_value: optional.string(text) }, text) },
    "ThingRulesOutputReference.internalValue",
  ],
])("the generator refuses an attribute with the same name as %s", async (_, attributes, member) => {
  await expect(sourceOf(attributes)).rejects.toThrow(`Rename the attributes:\n  ${member}`);
});

describe("the page of a resource", () => {
  /** Returns the page of the job token scope, as if this resource also had `attributes`. */
  const pageWith = async (attributes: Attributes, type = "job_token_scope") => {
    const scope = jobTokenScope as ResourceDefinition;
    const resource = { ...scope, type, attributes: { ...scope.attributes, ...attributes } };
    const pages = await referencePages(createProvider([resource], [])).generate();
    return pages.get(`docs/reference/steward_${type}.md`)!;
  };

  it("a description with `|` and line breaks stays in one table cell of a resource's page", async () => {
    const page = await pageWith({ odd: optional.string({ description: "One of `a|b`,\nor none." }) });
    expect(page).toContain("\n| `odd` | string | optional |  | One of `a\\|b`, or none. |\n");
  });

  it("if a resource has no example or an invalid example, generating its page fails", async () => {
    await expect(pageWith({}, "unheard_of")).rejects.toThrow(
      "src/provider/resources/unheard-of.sample.ts is missing: ",
    );
    await expect(pageWith({ purpose: required.string({ description: "What for." }) })).rejects.toThrow(
      /job_token_scope is refused by the provider.*purpose/s,
    );
  });
});

import { constructs } from "../../../scripts/generate/constructs";
import { className, type Subject } from "../../../scripts/generate/naming";
import { createProvider } from "../../../src/provider";
import {
  type Attributes,
  computed,
  optional,
  optionalComputed,
  type ProviderSchema,
  required,
} from "../../../src/schema";

/** A provider of one resource. */
const schemaWith = (attributes: Attributes, provider: Attributes = {}): ProviderSchema => ({
  source: "registry.steward.example/steward/steward",
  provider: { version: 0, description: "Things.", attributes: provider },
  resources: { steward_thing: { version: 0, description: "A thing. It has `max_size`.", attributes } },
  dataSources: {},
});

async function sourceOf(
  attributes: Attributes,
  folder = "thing",
  provider: Attributes = {},
): Promise<string> {
  const texts = await constructs(schemaWith(attributes, provider)).generate();
  return texts.get(`src/constructs/generated/${folder}/index.ts`)!;
}

/** The comment that stands before a line. */
function docsOf(source: string, line: string): string {
  const before = source.slice(0, source.indexOf(line));
  return before.slice(before.lastIndexOf("/**"));
}

describe("documentation of generated classes", () => {
  it("comes from the resource's and the attributes' descriptions, with the names that constructs have", async () => {
    const source = await sourceOf({
      max_size: optional.number({ description: "How large. See `max_size`, `other_word`." }),
    });
    expect(docsOf(source, "export class Thing ")).toContain("* A thing. It has `maxSize`.");
    for (const line of ["readonly maxSize?", "public get maxSize()"]) {
      expect(docsOf(source, line)).toContain("* How large. See `maxSize`, `other_word`.");
    }
  });

  it("says what is deprecated, sensitive, filled in, and what replaces the object", async () => {
    const source = await sourceOf({
      old: computed.bool({ description: "Old.", deprecated: "use `size`." }),
      secret: required.string({ description: "Secret.", sensitive: true }),
      size: optionalComputed.number({ description: "Size.", default: 3 }),
      name: required.string({ description: "Name.", replaces: true }),
    });
    expect(docsOf(source, "public get old()")).toContain("* @deprecated use `size`.");
    expect(docsOf(source, "readonly secret:")).toContain("* Sensitive: plans and reports hide it.");
    expect(docsOf(source, "readonly size?")).toContain("* @default 3");
    expect(docsOf(source, "readonly name:")).toContain("* Changing it replaces the object.");
  });

  it("reaches the attributes of elements, declared and computed", async () => {
    const nested = { user: optional.string({ description: "Who it is." }) };
    const source = await sourceOf({
      given: required.setOf(nested, { description: "Given." }),
      found: computed.listOf(nested, { description: "Found." }),
    });
    const [, given] = source.split("export interface ThingGiven ");
    expect(docsOf(given!, "readonly user?")).toContain("* Who it is.");
    const [, found] = source.split("export class ThingFoundOutputReference ");
    expect(docsOf(found!, "public get user()")).toContain("* Who it is.");
    expect(docsOf(source, "export class ThingFoundOutputReference ")).toContain(
      "* An element of `found`. Found.",
    );
  });

  it("documentation can't end a comment early", async () => {
    const source = await sourceOf({
      glob: required.string({ description: "Such as `src/**/*.ts` or `*/x`." }),
    });
    expect(docsOf(source, "readonly glob:").match(/\*\//g)).toHaveLength(1);
  });
});

describe("closed sets", () => {
  const levels = {
    name: "Level",
    description: "Levels.",
    members: [
      { value: 1, name: "LOW", title: "Low" },
      { value: 2, name: "HIGH", title: "High" },
    ],
  };
  const words = {
    name: "Word",
    description: "Words.",
    members: [
      { value: "a", name: "A", title: "a" },
      { value: "b", name: "B", title: "b" },
    ],
  } as const;

  it("become unions: of numbers, texts, lists and attributes of elements", async () => {
    const text = { description: "Taken." };
    const source = await sourceOf({
      level: required.number({ ...text, values: levels }),
      many: optional.setOfStrings({ ...text, values: words as never }),
      found: computed.number({ ...text, values: levels }),
      rules: required.setOf({ word: optional.string({ ...text, values: words }) }, text),
    });
    expect(source).toContain("\n  readonly level: 1 | 2 | LevelToken;\n");
    expect(source).toContain('\n  readonly many?: ("a" | "b" | WordToken)[] | undefined;\n');
    expect(source).toContain('\n  readonly word?: "a" | "b" | WordToken | undefined;\n');
    expect(source).toContain("public set level(value: 1 | 2 | LevelToken) {");
    expect(source).toContain("return this.getNumberAttribute('found') as LevelToken;");
    expect(source).toContain(
      'import { type Level, type LevelToken, type Word, type WordToken } from "../enumerations";',
    );
  });

  it("closed sets are exported with their values by name", async () => {
    const texts = await constructs(
      schemaWith({ level: required.number({ description: "Level.", values: levels }) }),
    ).generate();
    const source = texts.get("src/constructs/generated/enumerations.ts")!;
    expect(source).toContain("export type Level = 1 | 2 | LevelToken;");
    expect(source).toContain('}>("Level", {\n  LOW: 1,\n  HIGH: 2,\n});');
  });
});

describe("names that a construct can't have are refused, and said", () => {
  const text = { description: "Taken." };
  const taken: readonly [string, Attributes, string][] = [
    ["a method of every object", { to_string: required.string(text) }, "Thing.toString"],
    ["a member of every construct", { fqn: required.string(text) }, "Thing.fqn"],
    [
      "what the generator adds to another attribute",
      { size: optional.number(text), size_input: optional.number(text) },
      "Thing.sizeInput",
    ],
    ["its reset", { size: optional.number(text), reset_size: optional.bool(text) }, "Thing.resetSize"],
    [
      "a member of every element",
      { rules: required.setOf({ internal_value: optional.string(text) }, text) },
      "ThingRulesOutputReference.internalValue",
    ],
  ];

  it.each(taken)("%s", async (_, attributes, member) => {
    await expect(sourceOf(attributes)).rejects.toThrow(`Rename the attributes:\n  ${member}`);
  });
});

describe("the classes of this provider", () => {
  const { schema } = createProvider();
  let sources: ReadonlyMap<string, string>;
  beforeAll(async () => {
    sources = await constructs(schema).generate();
  });
  const classes = [
    ["provider", "provider"],
    ...Object.keys(schema.resources).map((type) => ["resource", type] as const),
    ...Object.keys(schema.dataSources).map((type) => ["data source", type] as const),
  ] as readonly (readonly [Subject, string])[];

  it.each(classes.map(([subject, type]) => ({ subject, type })))(
    "show an example of the $subject $type",
    ({ subject, type }) => {
      const name = className(subject, subject === "provider" ? "steward" : type);
      const source = [...sources.values()].find((text) => text.includes(`export class ${name} extends`))!;
      const docs = docsOf(source, `export class ${name} extends`);
      expect(docs).toMatch(new RegExp(`\\* @example\\n \\* new ${name}\\(this, "[\\w-]+", \\{`));
    },
  );

  it("mark every deprecated attribute of the schema", () => {
    const all = [schema.resources, schema.dataSources].flatMap((schemas) =>
      Object.values(schemas).flatMap(({ attributes }) =>
        Object.values(attributes).flatMap(({ text }) => text.deprecated ?? []),
      ),
    );
    expect(all.length).toBeGreaterThan(0);
    const marked = [...sources.values()].flatMap((text) => [...text.matchAll(/\* @deprecated (.*)/g)]);
    expect(marked.map(([, why]) => why).sort()).toEqual([...all].sort());
  });
});

import type { Provider } from "../../src/framework";
import { PROVIDER_NAME } from "../../src/provider";
import type { ResourceSchema } from "../../src/schema";
import { attributeTables, PRESENCE_WORDS } from "./attribute-tables";
import { declarationOf } from "./declaration";
import { type Example, exampleOf } from "./examples";
import { functionPages, functionTable } from "./function-pages";
import type { Generator } from "./generated-files";
import { importSection } from "./import-section";
import { code, fence, GENERATED, page, table } from "./markdown";
import { className, pagePath, type Subject } from "./naming";
import { querySection } from "./query-section";

const PLACE = "docs/reference";

interface Topic {
  readonly subject: Subject;
  readonly type: string;
  readonly schema: ResourceSchema;
  readonly example: Example;
}

/** Generates a page for each resource, data source and function, one for the provider, and a list of all pages. */
export const referencePages = (provider: Provider): Generator => ({
  place: PLACE,
  async generate() {
    const topics = topicsOf(provider);
    return new Map([
      [`${PLACE}/README.md`, overview(provider, topics)],
      ...functionPages(provider),
      ...topics.map((topic): [string, string] => [
        pagePath(topic.subject, topic.type),
        topicPage(provider, topic),
      ]),
    ]);
  },
});

function topicsOf(provider: Provider): Topic[] {
  const { schema } = provider;
  const topics: Omit<Topic, "example">[] = [
    { subject: "provider", type: PROVIDER_NAME, schema: schema.provider },
    ...Object.entries(schema.resources).map(([type, schema]) => ({
      subject: "resource" as const,
      type,
      schema,
    })),
    ...Object.entries(schema.dataSources).map(([type, schema]) => ({
      subject: "data source" as const,
      type,
      schema,
    })),
  ];
  return topics.map((topic) => ({ ...topic, example: validExample(provider, topic) }));
}

/**
 * Returns the example of a type. Throws if the provider refuses it, because a page must not show an example that does
 * not work.
 */
function validExample(provider: Provider, { subject, type }: Omit<Topic, "example">): Example {
  const example = exampleOf(subject, type);
  const problems = {
    provider: () => provider.validateProvider(example.config),
    resource: () => provider.validateResource(type, example.config),
    "data source": () => provider.validateDataSource(type, example.config),
  }[subject]();
  if (problems.length > 0) {
    const details = problems.map(({ summary, detail }) => `${summary}: ${detail}`);
    throw new Error(`The example of the ${subject} ${type} is refused by the provider. ${details.join(" ")}`);
  }
  return example;
}

const TITLES: Readonly<Record<Topic["subject"], string>> = {
  provider: "Provider",
  resource: "Resource",
  "data source": "Data source",
};

function topicPage({ schema: whole }: Provider, { subject, type, schema, example }: Topic): string {
  return page(
    `# ${TITLES[subject]} ${code(type)}`,
    GENERATED,
    schema.description,
    fence("ts", declarationOf(subject, type, example)),
    "## Attributes",
    ...attributeTables(subject, schema.attributes),
    ...(subject === "resource"
      ? [...importSection(type, example.id, schema.identity!), ...querySection(whole, type)]
      : []),
  );
}

function overview(provider: Provider, topics: readonly Topic[]): string {
  const list = (subject: Subject) =>
    table(
      ["Type", "Construct", "What it is"],
      topics
        .filter((topic) => topic.subject === subject)
        .map(({ type, schema }) => [
          `[${code(type)}](${pagePath(subject, type).slice(PLACE.length + 1)})`,
          code(className(subject, type)),
          schema.description.replace(/(?<=\.) .*/s, ""),
        ]),
    );
  return page(
    "# Reference",
    GENERATED,
    "What can be declared. Tables name attributes as plans and states do; constructs have them in camelCase: " +
      "`inbound_enabled` is `inboundEnabled` in TypeScript.",
    "Import the constructs from the package of your library, `cdktn-provider-steward` or `cdktf-provider-steward` " +
      "([which package](../constructs.md#cdktf-and-cdktn)).",
    "## Provider",
    list("provider"),
    "## Resources",
    list("resource"),
    "What it means to leave an attribute of a resource out:",
    table(["Word", "Meaning"], PRESENCE_WORDS),
    "## Data sources",
    list("data source"),
    "## Functions",
    `Expressions call them as ${code(`provider::${PROVIDER_NAME}::NAME(…)`)}.`,
    functionTable(provider),
  );
}

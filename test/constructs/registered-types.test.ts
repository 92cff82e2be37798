import { TerraformDataSource, TerraformProvider, TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { toConstructConfig } from "../../scripts/generate/declaration";
import { exampleOf } from "../../scripts/generate/examples";
import { className, type Subject } from "../../scripts/generate/naming";
import * as constructs from "../../src/constructs";
import { createProvider, PROVIDER_NAME } from "../../src/provider";
import { synthesized } from "./support/synthesized";

type Declare = new (scope: Construct, id: string, config: unknown) => unknown;

const { schema } = createProvider();

/** The types of all exported constructs of one kind. */
const typesOf = (base: typeof TerraformProvider | typeof TerraformResource | typeof TerraformDataSource) =>
  Object.values(constructs)
    .filter((one) => (one as { readonly prototype?: unknown }).prototype instanceof base)
    .map((one) => (one as unknown as { readonly tfResourceType: string }).tfResourceType)
    .sort();

const constructFor = (subject: Subject, type: string) =>
  (constructs as unknown as Record<string, Declare>)[className(subject, type)]!;

describe("there is one construct for each registered type, and none besides", () => {
  it("each registered type of resources has one construct", () => {
    expect(typesOf(TerraformResource)).toEqual(Object.keys(schema.resources).sort());
  });

  it("each registered type of data sources has one construct", () => {
    expect(typesOf(TerraformDataSource)).toEqual(Object.keys(schema.dataSources).sort());
  });

  it("the provider has one construct", () => {
    expect(typesOf(TerraformProvider)).toEqual([PROVIDER_NAME]);
  });
});

describe("a construct synthesizes exactly what is declared, under the names of the schema", () => {
  it.each(Object.keys(schema.resources))("resource %s", (type) => {
    const { id, config } = exampleOf("resource", type);
    const { resource } = synthesized((stack) => {
      new (constructFor("resource", type))(stack, id, toConstructConfig(config));
    });
    expect(resource).toEqual({ [type]: { [id]: config } });
  });

  it.each(Object.keys(schema.dataSources))("data source %s", (type) => {
    const { id, config } = exampleOf("data source", type);
    const { data } = synthesized((stack) => {
      new (constructFor("data source", type))(stack, id, toConstructConfig(config));
    });
    expect(data).toEqual({ [type]: { [id]: config } });
  });

  it("provider", () => {
    const { id, config } = exampleOf("provider", PROVIDER_NAME);
    const { provider } = synthesized((stack) => {
      new (constructFor("provider", PROVIDER_NAME))(stack, id, toConstructConfig(config));
    });
    expect(provider).toEqual({ [PROVIDER_NAME]: [config] });
  });
});

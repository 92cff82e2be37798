import { createProvider } from "../../../src/provider";
import {
  type Attributes,
  type AttributeType,
  isNested,
  type Value,
  type ValueObject,
} from "../../../src/schema";
import { DATA_SAMPLES } from "../samples";
import { FILLED_PLATFORM, FILLED_USER, FILLED_WEB } from "../support/own-places";
import { FIXTURE, TOKEN, useOneWorld } from "../support/world";

// Hosts write what a data source answers by its schema: each attribute must be there, also in elements, and no other.

const filled: typeof FIXTURE = {
  ...FIXTURE,
  users: [...FIXTURE.users!, FILLED_USER],
  groups: FIXTURE.groups!.map((group) =>
    group.path === "acme/platform" ? { ...group, ...FILLED_PLATFORM } : group,
  ),
  projects: FIXTURE.projects!.map((project) =>
    project.path === "acme/web" ? { ...project, ...FILLED_WEB } : { ...project, topics: ["shop"] },
  ),
};

const { dataSources } = createProvider().schema;
const world = useOneWorld(filled);

test.each(Object.entries(DATA_SAMPLES))("%s answers as its schema says", async (type, sample) => {
  const { attributes } = dataSources[type]!;
  const config = Object.fromEntries(
    Object.keys(attributes).map((name): [string, Value] => [name, sample.config[name] ?? null]),
  );
  expect(world.provider.validateDataSource(type, config)).toEqual([]);
  const answer = await world.connect(TOKEN.administrator).readDataSource({ type, config });
  expect(answer.diagnostics).toEqual([]);
  expectShape(attributes, answer.attributes!, type);
});

function expectShape(attributes: Attributes, object: ValueObject, at: string): void {
  expect([at, Object.keys(object).sort()]).toEqual([at, Object.keys(attributes).sort()]);
  for (const [name, { type }] of Object.entries(attributes)) expectType(type, object[name]!, `${at}.${name}`);
}

function expectType(type: AttributeType, value: Value, at: string): void {
  if (value === null) return;
  if (type.kind === "set" || type.kind === "list") {
    const elements = value as readonly Value[];
    // Of an empty list nothing could be seen.
    expect([at, elements.length]).not.toEqual([at, 0]);
    for (const element of elements) {
      if (isNested(type)) expectShape(type.nested, element as ValueObject, at);
      else expect([at, typeof element]).toEqual([at, "string"]);
    }
  } else if (type.kind === "single") {
    expectShape(type.nested, value as ValueObject, at);
  } else {
    const primitive = { reference: "string", string: "string", number: "number", bool: "boolean" }[
      type.kind as "string"
    ];
    expect([at, typeof value]).toEqual([at, primitive]);
  }
}

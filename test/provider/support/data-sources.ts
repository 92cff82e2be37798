import type { AttributesResponse } from "../../../src/framework/protocol/protocol";
import type { ValueObject } from "../../../src/schema";
import type { World } from "./world";

/** Returns a configuration as hosts send it: omitted arguments are null. */
function whole({ provider }: World, type: string, given: ValueObject): ValueObject {
  const { attributes } = provider.schema.dataSources[type]!;
  return { ...Object.fromEntries(Object.keys(attributes).map((name) => [name, null])), ...given };
}

/** Validates the configuration of a data source and reads it, as a host does. */
export async function readData(
  world: World,
  type: string,
  given: ValueObject,
  token?: string,
): Promise<AttributesResponse> {
  const config = whole(world, type, given);
  const diagnostics = world.provider.validateDataSource(type, config);
  return diagnostics.length > 0 ? { diagnostics } : world.connect(token).readDataSource({ type, config });
}

/** Reads a data source and returns its list. Fails if the data source cannot be read. */
export async function listed(
  world: World,
  type: string,
  list: string,
  given: ValueObject,
  token?: string,
): Promise<readonly ValueObject[]> {
  const { attributes, diagnostics } = await readData(world, type, given, token);
  expect(diagnostics).toEqual([]);
  expect(attributes).toMatchObject(given);
  return attributes![list] as readonly ValueObject[];
}

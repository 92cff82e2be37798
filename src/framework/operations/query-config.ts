import type { Diagnostic } from "../../diagnostics";
import {
  type Attributes,
  invalidValue,
  isUnknown,
  optional,
  type PathSyntaxes,
  required,
  type Schema,
  type ValueObject,
  validateAttributes,
} from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ContainerLists, Nesting } from "../definition/provider-definition";
import type { ContainerSelection } from "../protocol/protocol";

type Resource = Pick<ResourceDefinition, "container">;

/** The configuration of a query of one type: the container of its objects, or one that has such containers inside. */
export function querySchema(
  type: string,
  { container }: Resource,
  lists: ContainerLists | undefined,
): Schema {
  const nestings = nestingsOf(lists, container);
  const outer = nestings.map(([kind]) => kind).filter((kind) => kind !== container);
  const attributes: Attributes = {
    [container]: (outer.length === 0 ? required : optional).reference(container, {
      description: `The ${container} whose objects are listed, by its numeric id or its full path.${oneOf([container, ...outer])}`,
    }),
    ...Object.fromEntries(
      outer.map((kind) => [
        kind,
        optional.reference(kind, {
          description:
            `The ${kind} whose ${container}s are listed, by its numeric id or its full path. Archived ones are skipped with a ` +
            `warning.${oneOf([container, ...outer])}`,
        }),
      ]),
    ),
    ...Object.fromEntries(
      nestings.map(([, { attribute, description }]) => [attribute, optional.bool({ description })]),
    ),
  };
  return {
    version: 0,
    description: `Lists the live objects of \`${type}\` in a ${container}${outer.map((kind) => `, or in the ${container}s of a ${kind}`).join("")}.`,
    attributes,
  };
}

const oneOf = (kinds: readonly string[]): string =>
  kinds.length === 1
    ? ""
    : ` Exactly one of ${kinds.map((kind) => `\`${kind}\``).join(" and ")} is required.`;

/** The kinds of containers that have others of this kind inside. */
const nestingsOf = (lists: ContainerLists | undefined, kind: string): [string, Nesting][] =>
  (Object.entries(lists?.nesting ?? {}) as [string, Nesting][]).filter(([, { kinds }]) =>
    kinds.includes(kind),
  );

/** Validates a configuration; unknown values may turn out to be null. */
export function validateQuery(
  { container }: Resource,
  lists: ContainerLists | undefined,
  { attributes }: Schema,
  paths: PathSyntaxes,
  config: ValueObject,
): readonly Diagnostic[] {
  const found = validateAttributes(attributes, config, paths);
  if (found.length > 0) return found;
  const nestings = nestingsOf(lists, container);
  const kinds = [...new Set([container, ...nestings.map(([kind]) => kind)])];
  const given = kinds.filter((kind) => (config[kind] ?? null) !== null);
  if (kinds.some((kind) => isUnknown(config[kind]))) return [];
  if (given.length === 0)
    return [invalidValue([kinds[0]!], `A query needs a ${kinds.join(" or ")}: set one of them.`)];
  if (given.length > 1)
    return [invalidValue([given[1]!], `${given.join(" and ")} can't be set together. Remove one of them.`)];
  return nestings
    .filter(([kind, { attribute }]) => config[attribute] === true && kind !== given[0])
    .map(([kind, { attribute }]) =>
      invalidValue([attribute], `${attribute} has an effect with ${kind} only. Set ${kind}, or remove it.`),
    );
}

/** What a valid configuration selects, and the attribute that names it. */
export function selectionOf(
  { container }: Resource,
  lists: ContainerLists | undefined,
  config: ValueObject,
): { readonly attribute: string; readonly selection: ContainerSelection } {
  const nestings = nestingsOf(lists, container);
  const kinds = [container, ...nestings.map(([kind]) => kind)];
  const kind = kinds.find((one) => (config[one] ?? null) !== null)!;
  const nesting = nestings.find(([one]) => one === kind)?.[1];
  const isNested = nesting !== undefined && config[nesting.attribute] === true;
  const contents = isNested ? "nested" : kind === container ? "none" : "direct";
  return { attribute: kind, selection: { names: [String(config[kind])], kind, contents, only: container } };
}

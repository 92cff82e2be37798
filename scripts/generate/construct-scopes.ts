import type { ResourceModel } from "@cdktf/provider-generator/lib/get/generator/models";
import { toCamelCase } from "codemaker";
import { PROVIDER_NAME } from "../../src/provider";
import {
  type Attribute,
  type Attributes,
  isNested,
  type ProviderSchema,
  type Schema,
} from "../../src/schema";
import { className, type Subject } from "./naming";

/**
 * The attributes of a schema, or of the elements of one attribute, with the names of the types that are generated for
 * them.
 */
export interface Scope {
  readonly subject: Subject | "element";
  /** The type of the resource or data source, or the name of the provider. */
  readonly type: string;
  /** The interface with the attributes that users can declare. */
  readonly interfaceName: string;
  /** The class with the attributes to which users can refer. */
  readonly className: string;
  readonly description: string;
  readonly members: readonly Member[];
}

/** An attribute, and its name in the generated types. */
export interface Member {
  readonly name: string;
  readonly attributeName: string;
  readonly attribute: Attribute;
}

/** Returns all scopes of the provider's schema. */
export const scopesOf = (schema: ProviderSchema, models: readonly ResourceModel[]): Scope[] => [
  providerScope(schema.provider),
  ...scopesOfAll("resource", schema.resources, models),
  ...scopesOfAll("data source", schema.dataSources, models),
];

const providerScope = ({ description, attributes }: Schema): Scope => {
  const name = className("provider", PROVIDER_NAME);
  return {
    subject: "provider",
    type: PROVIDER_NAME,
    interfaceName: `${name}Config`,
    className: name,
    description,
    members: Object.entries(attributes).map(([attributeName, attribute]) => ({
      name: toCamelCase(attributeName),
      attributeName,
      attribute,
    })),
  };
};

const scopesOfAll = (
  subject: Subject,
  schemas: Readonly<Record<string, Schema>>,
  models: readonly ResourceModel[],
): Scope[] =>
  Object.entries(schemas).flatMap(([type, { description, attributes }]) => {
    const name = className(subject, type);
    const model = models.find((one) => one.className === name);
    if (model === undefined)
      throw new Error(`The generator made no class ${name} for the ${subject} ${type}.`);
    return withElements(attributes, model.attributes, {
      subject,
      type,
      interfaceName: model.configStruct.name,
      className: name,
      description,
    });
  });

/** Returns a scope, and the scopes of the elements of its nested attributes. */
function withElements(
  attributes: Attributes,
  models: ResourceModel["attributes"],
  scope: Omit<Scope, "members">,
): Scope[] {
  const members = models.map(({ name, terraformName, type: { struct } }) => ({
    name,
    attributeName: terraformName,
    attribute: attributes[terraformName]!,
    struct,
  }));
  const nested = members.flatMap(({ attributeName, attribute: { type }, struct }) => {
    if (struct === undefined || !isNested(type)) return [];
    return withElements(type.nested, struct.attributes, {
      subject: "element",
      type: scope.type,
      interfaceName: struct.name,
      className: struct.outputReferenceName,
      description: `An element of \`${attributeName}\`.`,
    });
  });
  return [{ ...scope, members }, ...nested];
}

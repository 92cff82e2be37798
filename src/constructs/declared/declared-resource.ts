import { DefaultTokenResolver, StringConcat, TerraformElement, TerraformStack, Tokenization } from "cdktf";
import type { IConstruct } from "constructs";

/** A resource of this provider as it is synthesized, whichever class declared it. */
export interface DeclaredResource {
  /** The construct that declares it. */
  readonly construct: IConstruct;
  /** Its type, such as `steward_protected_environment`. */
  readonly type: string;
  /**
   * What it declares, under the names of the schema (`deploy_access_levels`), overrides included. What is known at
   * apply alone is an expression in a text: see {@link isKnown}.
   */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** One stack's part of the configuration, of what this provider declares. */
export interface DeclaredStack {
  readonly stack: TerraformStack;
  readonly resources: readonly DeclaredResource[];
  /** Resources and data sources by how references name them: `data.steward_project.shop`. */
  readonly byAddress: ReadonlyMap<string, DeclaredResource>;
  /** Addresses of the service by the names that resources give their provider (`steward`, `steward.there`). */
  readonly services: ReadonlyMap<string, string>;
}

type Block = Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;

interface Synthesized {
  readonly resource?: Block;
  readonly data?: Block;
  readonly provider?: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

/**
 * Reads a stack from what its constructs synthesize, and not from their classes: so overrides count, and so do
 * bindings that somebody generated.
 */
export function declaredStack(stack: TerraformStack): DeclaredStack {
  const resources: DeclaredResource[] = [];
  const byAddress = new Map<string, DeclaredResource>();
  const services = new Map<string, string>();
  for (const construct of stack.node.findAll()) {
    if (!TerraformElement.isTerraformElement(construct) || TerraformStack.of(construct) !== stack) continue;
    const { resource, data, provider } = resolved(construct, stack);
    for (const { type, name, attributes } of blocks(resource)) {
      resources.push({ construct, type, attributes });
      byAddress.set(`${type}.${name}`, { construct, type, attributes });
    }
    for (const { type, name, attributes } of blocks(data)) {
      byAddress.set(`data.${type}.${name}`, { construct, type, attributes });
    }
    for (const { alias, base_url } of provider?.[PROVIDER] ?? []) {
      services.set(alias === undefined ? PROVIDER : `${PROVIDER}.${String(alias)}`, String(base_url ?? ""));
    }
  }
  return { stack, resources, byAddress, services };
}

const PROVIDER = "steward";

const resolved = (element: TerraformElement, scope: TerraformStack): Synthesized =>
  Tokenization.resolve(element.toTerraform(), {
    scope,
    preparing: false,
    resolver: new DefaultTokenResolver(new StringConcat()),
  });

/** The blocks of this provider; a `count` of 0 declares nothing. */
const blocks = (block: Block = {}) =>
  Object.entries(block).flatMap(([type, named]) =>
    type.startsWith(`${PROVIDER}_`)
      ? Object.entries(named).flatMap(([name, attributes]) =>
          attributes["count"] === 0 ? [] : [{ type, name, attributes }],
        )
      : [],
  );

/** Whether a value stands in the code, and is not an expression that is known at apply alone. */
export const isKnown = (value: unknown): boolean => !(typeof value === "string" && value.includes("${"));

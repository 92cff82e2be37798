import { DefaultTokenResolver, StringConcat, TerraformElement, TerraformStack, Tokenization } from "cdktf";
import type { IConstruct } from "constructs";

/** A synthesized resource of this provider, whatever class declared it. */
export interface DeclaredResource {
  /** The construct that declares it. */
  readonly construct: IConstruct;
  /** Its type, such as `steward_protected_environment`. */
  readonly type: string;
  /**
   * Its attributes under the schema's names (`deploy_access_levels`), with overrides. A value that is known
   * only after apply is an expression: see {@link isKnown}.
   */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The declarations of this provider in one stack. */
export interface DeclaredStack {
  readonly stack: TerraformStack;
  readonly resources: readonly DeclaredResource[];
  /** Resources and data sources by address: `data.steward_project.shop`. */
  readonly byAddress: ReadonlyMap<string, DeclaredResource>;
  /** Base URLs by provider reference (`steward`, `steward.there`). */
  readonly services: ReadonlyMap<string, string>;
}

type Block = Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;

interface Synthesized {
  readonly resource?: Block;
  readonly data?: Block;
  readonly provider?: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

/**
 * Reads a stack from its synthesized form rather than its classes: so overrides count, and bindings that
 * somebody generated.
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
  Tokenization.resolve(withoutMetadata(element.toTerraform()), {
    scope,
    preparing: false,
    resolver: new DefaultTokenResolver(new StringConcat()),
  });

/** Resolving the metadata of a new block takes as long as resolving some of its attributes. */
function withoutMetadata(block: Synthesized): Synthesized {
  for (const named of [block.resource, block.data].flatMap((of) => Object.values(of ?? {})))
    for (const attributes of Object.values(named)) delete attributes["//"];
  return block;
}

/** The blocks of this provider; a `count` of 0 declares nothing. */
const blocks = (block: Block = {}) =>
  Object.entries(block).flatMap(([type, named]) =>
    type.startsWith(`${PROVIDER}_`)
      ? Object.entries(named).flatMap(([name, attributes]) =>
          attributes["count"] === 0 ? [] : [{ type, name, attributes }],
        )
      : [],
  );

/** Whether a value is known at synthesis rather than an expression. */
export const isKnown = (value: unknown): boolean => !(typeof value === "string" && value.includes("${"));

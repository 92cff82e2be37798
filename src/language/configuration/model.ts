import * as z from "zod/mini";
import type { ResourceAddress } from "../addresses/address";
import type { Expression, Traversal, TypeConstraint } from "../syntax";
import type { ConfigurationFile } from "./files";

/** A configuration: all declarations in the files of a stack. Their expressions are parsed, and not evaluated. */
export interface Configuration {
  /** The base folder of relative paths. */
  readonly folder: string;
  /** The parsed files. */
  readonly files: readonly ConfigurationFile[];
  /** The comments (`//`) of the files. */
  readonly comments: readonly unknown[];
  /** Source addresses by local provider name, such as `steward`. */
  readonly requiredProviders: ReadonlyMap<string, string>;
  /** Version constraints such as `>= 1.0, < 2.0`, by local provider name. Not every provider has one. */
  readonly providerVersions: ReadonlyMap<string, string>;
  readonly backend: Backend | undefined;
  /** The providers, by `name` or `name.alias`. */
  readonly providers: ReadonlyMap<string, ProviderDeclaration>;
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly locals: ReadonlyMap<string, Expression>;
  readonly outputs: ReadonlyMap<string, OutputDeclaration>;
  /** Resources and data sources by address, such as `acme_thing.a` or `data.acme_thing.b`. */
  readonly resources: ReadonlyMap<string, ResourceDeclaration>;
  readonly checks: ReadonlyMap<string, CheckDeclaration>;
  readonly imports: readonly ImportDeclaration[];
  readonly moves: readonly MoveDeclaration[];
  /** The fleets, by the name of the local value that contains their members. */
  readonly fleets: ReadonlyMap<string, FleetDeclaration>;
  /** The `removed` blocks, by the address of the removed resource or module. */
  readonly removals: ReadonlyMap<string, RemovalDeclaration>;
}

/** The declarations of a configuration while its files are loaded. */
export type Loading = {
  -readonly [K in Exclude<keyof Configuration, "folder" | "files">]: Configuration[K] extends ReadonlyMap<
    infer A,
    infer B
  >
    ? Map<A, B>
    : Configuration[K] extends readonly (infer E)[]
      ? E[]
      : Configuration[K];
};

const text = z.optional(z.string());

/**
 * The selection of a fleet's members: all containers of one kind in the container `within`. If `nested` is true, they may be at
 * any depth.
 */
const fleetSelection = z.object({
  kind: z.string(),
  within: z.object({ kind: z.string(), name: z.string() }),
  nested: z.boolean(),
  /** If this list is not empty, a member has at least one of these labels. */
  labels: z.array(z.string()),
  /** Patterns for the full paths of containers that are not members. */
  except: z.array(z.string()),
  /** Whether a label or a pattern that matches nothing is allowed. */
  allow_empty: z.optional(z.literal(true)),
});
export type FleetSelection = z.output<typeof fleetSelection>;

/**
 * A layer, with the settings that it sets or drops. An entry of `settings` without a key applies to all objects of its type. An
 * entry without an attribute applies to all attributes.
 */
const fleetLayer = z.object({
  where: z.string(),
  position: text,
  reason: text,
  owner: text,
  until: text,
  /** Whether the fleet may have no member at or below `where`. */
  allow_empty: z.optional(z.literal(true)),
  settings: z.array(
    z.object({
      type: z.string(),
      key: text,
      attribute: text,
      position: text,
      dropped: z.optional(z.literal(true)),
      /**
       * The paths in the list that this setting contains. A member with one of these paths gets the list without its own path.
       */
      except_own: z.optional(z.array(z.string())),
    }),
  ),
});
export type FleetLayer = z.output<typeof fleetLayer>;

/**
 * A data source that lists the members of a fleet. `attribute` contains the list, and `path` is the attribute of each element
 * that contains its full path. If `label` is set, all elements have this label.
 */
const fleetList = z.object({ source: z.string(), attribute: z.string(), path: z.string(), label: text });
export type FleetList = z.output<typeof fleetList>;

/** A fleet, as the construct `Fleet` records it in the comment of the stack. */
export const fleetDeclaration = z.object({
  /** The path of the fleet's construct. */
  path: z.string(),
  /** The local value that contains the paths of the fleet's members, by their keys. */
  members: z.string(),
  /** The treatment of objects that leave the fleet. `keep` leaves them on the service, and `reset` destroys them. */
  onLeave: z.enum(["keep", "reset"]),
  /** The selection of the members; undefined if the app lists the members itself. */
  selection: z.optional(fleetSelection),
  /** The data sources that list the fleet's members. */
  lists: z.optional(z.array(fleetList)),
  /** The baseline, whose path is empty, and the layers. */
  layers: z.array(fleetLayer),
  /**
   * The names of the local values, outputs and checks with which Terraform reports selectors that match nothing. The loader
   * removes them, because Steward has its own report.
   */
  selector_checks: z.optional(z.array(z.string())),
});
export type FleetDeclaration = z.output<typeof fleetDeclaration>;

/**
 * Returns the fleet's member and the object's key from the instance key of a resource. The constructs write `<member>` or
 * `<member>:<key>`.
 */
export function memberOf(indexKey: string): { readonly member: string; readonly key: string | undefined } {
  const colon = indexKey.indexOf(":");
  return colon === -1
    ? { member: indexKey, key: undefined }
    : { member: indexKey.slice(0, colon), key: indexKey.slice(colon + 1) };
}

/** A `check` block. An assertion that fails causes a warning. */
export interface CheckDeclaration {
  /** The address, such as `check.reachable`. */
  readonly address: string;
  /** The address of the data source in the check. Nothing outside of the check may refer to it. */
  readonly data: string | undefined;
  readonly asserts: readonly Condition[];
  readonly construct: string | undefined;
}

/** An `import` block: a live object to import into the state, or several objects with `for_each`. */
export interface ImportDeclaration {
  /** The resource, without a key. */
  readonly to: string;
  /** The target as written, for messages. */
  readonly target: string;
  /** The instance's key. With `for_each`, it may depend on `each`. */
  readonly key: Expression | undefined;
  /** The provider's import id. The object is named either by this id or by the attributes of its identity. */
  readonly id: Expression | undefined;
  readonly identity: Expression | undefined;
  readonly forEach: Expression | undefined;
}

/** A `moved` block: the old and the new address. If neither address has a key, all instances of a resource move. */
export interface MoveDeclaration {
  readonly from: ResourceAddress;
  readonly to: ResourceAddress;
}

/** A `removed` block for a resource that is no longer declared. */
export interface RemovalDeclaration {
  /** Whether the object is deleted from the service. If not, Steward only removes it from the state. */
  readonly destroy: boolean;
}

export interface Backend {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The attributes of a block, each with its expression. */
export type Body = ReadonlyMap<string, Expression>;

export interface ProviderDeclaration {
  readonly name: string;
  readonly alias: string | undefined;
  readonly body: Body;
  readonly construct: string | undefined;
}

export interface VariableDeclaration {
  readonly name: string;
  readonly constraint: TypeConstraint;
  /** The type as written; undefined if it is omitted. */
  readonly type: string | undefined;
  readonly default: Expression | undefined;
  readonly sensitive: boolean;
  /** Whether the value must not be stored in states and plans. */
  readonly ephemeral: boolean;
  readonly nullable: boolean;
  readonly validations: readonly Condition[];
  readonly construct: string | undefined;
}

export interface OutputDeclaration {
  readonly name: string;
  readonly value: Expression;
  readonly sensitive: boolean;
  readonly dependsOn: readonly Traversal[];
  readonly preconditions: readonly Condition[];
  readonly construct: string | undefined;
}

export interface ResourceDeclaration {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly address: string;
  /** The key of the provider in `providers`. */
  readonly provider: string;
  readonly body: Body;
  /** The block as written, with its meta-arguments, if all attributes of `body` are constants; otherwise undefined. */
  readonly constants: Readonly<Record<string, unknown>> | undefined;
  readonly dependsOn: readonly Traversal[];
  readonly count: Expression | undefined;
  readonly forEach: Expression | undefined;
  readonly lifecycle: Lifecycle;
  /** The address of the check that contains the data source. */
  readonly check?: string;
  /** The path of the construct; undefined if the configuration does not contain it. */
  readonly construct: string | undefined;
  /** The app's file and line, `main.ts:26`, if the construct recorded them. */
  readonly position?: string;
  /** The fleet of the resource: a key of the configuration's `fleets`. */
  readonly fleet?: string;
  /** The part of each member's settings, such as `environments`. It does not depend on the name of the fleet. */
  readonly fleetPart?: string;
}

/** A condition, and the message for the case that it is false. */
export interface Condition {
  readonly condition: Expression;
  readonly errorMessage: Expression;
}

/** The `lifecycle` block of a resource. A data source has only conditions. */
export interface Lifecycle {
  readonly preventDestroy: boolean;
  /**
   * Whether a replacement creates the new object before it deletes the old object. Even if this is false, a dependent resource
   * may require this order.
   */
  readonly createBeforeDestroy: boolean;
  /** Paths into the resource, such as `tags["x"]`, or `all` for every attribute. */
  readonly ignoreChanges: "all" | readonly Traversal[];
  /**
   * References to resources or attributes. A change of one of them replaces the object. Their indexes may contain `each.key`
   * and `count.index`.
   */
  readonly replaceTriggeredBy: readonly Expression[];
  readonly preconditions: readonly Condition[];
  readonly postconditions: readonly Condition[];
}

/** The lifecycle of a resource without a `lifecycle` block. */
export const NO_LIFECYCLE: Lifecycle = {
  preventDestroy: false,
  createBeforeDestroy: false,
  ignoreChanges: [],
  replaceTriggeredBy: [],
  preconditions: [],
  postconditions: [],
};

import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, ValueObject } from "../../schema";
import type { Ownership } from "../ownership/owners";
import type { Connection } from "../protocol/connection";
import type { Failure } from "../protocol/failures";
import type { AccessReport, PlannedChange, RightsReport, RunOptions } from "../protocol/protocol";
import type { Kind, ReferencedObject } from "../references/lookups";
import type { DataSourceDefinition, Reading, ResourceDefinition } from "./definition";
import type { FunctionDefinition } from "./function-definition";

/**
 * Converts states of one resource type of another provider. The conversion sends no request, so it sets only values that follow
 * from the state of the old resource type. The next read adds all other values, such as the numeric id of a container with a
 * known path.
 */
export interface Move {
  /** The resource type of the other provider. */
  readonly from: string;
  /** The newest schema version of the type `from` that the conversion supports. */
  readonly version: number;
  /** The conversion for each type of this provider, by the type without the provider's prefix: `thing` for `acme_thing`. */
  readonly to: Readonly<Record<string, (source: ValueObject) => Moved>>;
}

export interface Moved {
  /** The converted attributes, including the `id`. The caller sets omitted attributes to null. */
  readonly attributes: ValueObject;
  /** Warnings about features of the old resource type that the new type lacks. */
  readonly warnings?: readonly Diagnostic[];
}

/**
 * The definition of a provider: its configuration, client, resources and data sources. `Client` is the type of the client that
 * sends the requests. `Name` is the union of the kinds of objects to which references can refer by id or path.
 */
export interface ProviderDefinition<Client = unknown, Name extends string = string> {
  /** The prefix of all type names, such as `acme` for `acme_thing`. */
  readonly name: string;
  /** The source address of the provider, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  /** The description of the provider, as Markdown. Lists of providers contain only the first sentence of the description. */
  readonly description: string;
  /** The attributes of the provider's configuration. */
  readonly attributes: Attributes;
  /** The kinds of objects to which references can refer, such as users, by name. */
  readonly kinds: Readonly<Record<Name, Kind<Client>>>;
  /** Finds containers that no declaration names. Without this property, Steward finds containers only by name. */
  readonly containers?: ContainerLists<Client, Name>;
  readonly resources: readonly ResourceDefinition[];
  readonly dataSources: readonly DataSourceDefinition[];
  /** The functions of the provider for use in expressions. */
  readonly functions?: readonly FunctionDefinition[];

  /**
   * Creates the client for one run. The configuration has no unknown values. Creating the client sends no request.
   *
   * @throws an error that `failureOf` maps, if the configuration is invalid
   */
  connect(config: ValueObject, run: RunOptions): Connection<Client>;
  /** Returns the failure for an error of the client; undefined for any other error. */
  failureOf(problem: unknown): Failure | undefined;
  /**
   * Returns true if the token sees all objects, so that a 404 proves that an object is gone. If an administrator's token does not
   * see all objects, `why` is the reason. Without this function, Steward treats every token as limited.
   */
  isAdministrator?(api: Client): Promise<boolean | { readonly why: string }>;
  /**
   * Returns the name of the role that the user needs to change objects of a resource. If the service refuses a request, the error
   * contains this name.
   */
  neededRole?(definition: ResourceDefinition): string;
  /**
   * Returns a list of diagnostics for each planned change: errors or warnings about missing rights, or an empty list.
   * Without this function, only the service checks rights. A plan before an apply calls this function only to fill `known`, and
   * ignores the diagnostics.
   */
  checkRights?(
    scope: RightsScope<Client>,
    changes: readonly DefinedChange[],
  ): Promise<readonly (readonly Diagnostic[])[]>;
  /**
   * Returns a report about the access that planned changes give and take away. The function sends only reads. Without this
   * function, access reports list all changes as not counted.
   */
  describeAccess?(scope: AccessScope<Client>, changes: readonly AccessChange[]): Promise<AccessReport>;
  /**
   * Starts a read that `describeAccess` will certainly need for a new object. Returns undefined if there is no such read. The
   * framework calls this function for new objects of a container until one call starts a read. The read can send one request,
   * which counts towards `maxReads`.
   */
  readAccessAhead?(scope: AccessAheadScope<Client>, object: NewObject): Promise<unknown> | undefined;
  /**
   * Returns a report about the rights that planned changes need. The function sends only reads. Without this function, Steward
   * can't report rights.
   */
  describeRights?(scope: AccessScope<Client>, changes: readonly AccessChange[]): Promise<RightsReport>;
  /** Returns the username of the token's user. Throws the client's errors. */
  currentUser?(api: Client): Promise<string>;
  /**
   * Returns the URL of an object's web page. `address` is the service's address, as `connect` returns it. `path` is the full path
   * of the object.
   */
  webUrl?(address: string, kind: string, path: string): string;
  /**
   * A sentence with the reason why the service drops accepted elements of a set. The error about dropped elements ends with this
   * sentence.
   */
  readonly whyDropped?: string;
  /** Returns a request path without the names that users chose. By default, the path is unchanged. */
  redactPath?(path: string): string;
  /** Resource types of another provider whose objects can be moved to this provider. */
  readonly moves?: Moves;
}

/** Functions that list containers, page by page. These functions throw the client's errors. */
export interface ContainerLists<Client = unknown, Name extends string = string> {
  /** The kinds of containers that can be inside a container, by the kind of the outer container. */
  readonly nesting: { readonly [Kind in Name]?: Nesting<Name> };
  /**
   * Returns the containers directly inside a container, or at any depth if `hasNested` is true. With `only`, the result contains
   * only containers of this kind. A container whose kind is not in `nesting` contains no containers.
   */
  inside(
    api: Client,
    container: { readonly kind: Name; readonly id: number },
    hasNested: boolean,
    only: string | undefined,
  ): ContainerPages<Name>;
  /**
   * Returns all containers in which the token's user is a member, or all containers of the service with `isAdministrator`. The
   * filter selects containers by topic, or by a text in their name or path.
   */
  all(
    api: Client,
    filter: { readonly topic?: string | undefined; readonly search?: string | undefined },
    isAdministrator: boolean,
  ): ContainerPages<Name>;
}

/** The kinds of containers that can be inside one kind of container, and the query attribute for nested containers. */
export interface Nesting<Name extends string = string> {
  readonly kinds: readonly Name[];
  /** The name of the query attribute that includes nested containers at any depth, such as `include_subfolders`. */
  readonly attribute: string;
  /** The description of the query attribute, as Markdown. */
  readonly description: string;
}

/** The containers of a list, page by page. */
export type ContainerPages<Name extends string = string> = AsyncIterable<
  readonly (ReferencedObject & { readonly kind: Name })[]
>;

/**
 * Resource types of another provider whose objects can be moved to this provider. The other provider can come from any registry.
 */
export interface Moves {
  /** The namespace and name of the other provider, without its registry. */
  readonly from: string;
  readonly of: readonly Move[];
}

/** A planned change with the definition of its resource. */
export type DefinedChange = PlannedChange & { readonly definition: ResourceDefinition };

/** The context in which a provider checks rights. */
export interface RightsScope<Client = unknown> {
  readonly api: Client;
  /** The rights of the token that this run has already read. The provider chooses the keys. */
  readonly known: Map<string, unknown>;
  /**
   * Returns the level of the rights of the token's user in an object; undefined if no record that this run has read contains it.
   * `name` is the id or path of the object.
   */
  levelIn(kind: string, name: string | number): number | undefined;
}

/** The context in which a provider starts reads early, before its access report needs them. `maxReads` limits these reads. */
export type AccessAheadScope<Client = unknown> = Reading<Client> & Pick<AccessScope<Client>, "maxReads">;

/** An object that the plan creates, with resolved references. */
export interface NewObject {
  readonly definition: ResourceDefinition;
  readonly container: number;
  readonly declared: Declared<Attributes>;
}

/** The context in which a provider describes access: the client, and the collections that this run has read. */
export interface AccessScope<Client = unknown> extends Reading<Client> {
  /**
   * Returns the full path or username for an id, or the id itself if the token can't see the object. The run looks up each id
   * once. With `maxReads`, the function sends no request, and returns the id if the run does not know the name.
   * @throws the client's errors
   */
  nameOf(kind: string, id: number): Promise<string>;
  /**
   * Returns the reason why a read failed, in a few words.
   * @throws the problem itself if it does not come from the client
   */
  reasonOf(problem: unknown): string;
  /** Whether the report also covers containers without a planned change. */
  readonly isWhole: boolean;
  /**
   * Whether the report describes drift instead of planned changes. If true, `changes` are the changes that would repair the
   * drift.
   */
  readonly isReversed?: boolean | undefined;
  /** Whether the run's other changes are in another report. If true, `touched` of this report must contain `dependsOn`. */
  readonly isPartial?: boolean | undefined;
  /**
   * The maximum number of requests for the report, as an average for each container with changes. By default, there is no limit.
   */
  readonly maxReads?: number | undefined;
  /**
   * Returns the number of requests that the plan has already sent for this report about a container. These requests count towards
   * `maxReads`.
   */
  sentAhead(kind: string, container: number): number;
}

/**
 * A planned change in the form that a provider's reports read. References are resolved, and attributes that the plan does not
 * change are left out.
 */
export interface AccessChange {
  /** The name of the type without the provider's prefix. */
  readonly type: string;
  readonly definition: ResourceDefinition;
  readonly address: string;
  /** The live object; undefined if the change creates it. */
  readonly before: AccessObject | undefined;
  /** The object after the change; undefined if the change deletes it. */
  readonly after: AccessObject | undefined;
  /** The live values that a create replaces; undefined if the plan has not read them. */
  readonly live?: ValueObject | undefined;
  /**
   * The names of declared attributes whose values only apply can know. In `after`, an attribute with an unknown value is null.
   */
  readonly unknown: readonly string[];
  /**
   * The names of declared attributes in `after`. The apply does not change the live values of other attributes, even if the plan
   * contains other values for them.
   */
  readonly configured: ReadonlySet<string>;
  /**
   * Whether the plan leaves the object in the state unchanged. If true, the apply sends no write, even if the live object differs
   * from the state.
   */
  readonly isUnchanged: boolean;
  /** Returns whether this set or entry remains after the object's deletion, because another declaration of the run owns it. */
  isKept(part: Ownership): boolean;
}

interface AccessObject {
  /** The numeric id of the container. */
  readonly container: number;
  /** All attributes that users can declare, with resolved references. */
  readonly declared: Readonly<Record<string, unknown>>;
  /** All attributes, including computed ones, in the form that hosts use. */
  readonly attributes: ValueObject;
}

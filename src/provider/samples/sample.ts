import type { Value, ValueObject } from "../../schema";

/** Sends a plain request to the service as the owner, or by another token; fails where it is refused. */
export type Http = (method: string, path: string, body?: unknown, token?: string) => Promise<unknown>;

/** Changes something behind the code's back; `at` is the path of the container, such as `/projects/1`. */
export type ByHand = (http: Http, at: string) => Promise<unknown>;

/** A declaration to show on a page. */
export interface Example {
  /** The id of the construct; plans show the object as `<type>.<id>`. */
  readonly id: string;
  readonly config: ValueObject;
}

/**
 * Everything that suites and pages have to know of one resource: `NAME.sample.ts` beside `NAME.ts` exports it as `sample`.
 * Paths and names are those of the company in `company.ts`.
 */
export interface Sample {
  /** For the page and the example app of the resource. */
  readonly example: Example;
  /** A declaration that says something of every attribute. */
  readonly config: ValueObject;
  /** Another value for each attribute that can be declared. */
  readonly variations: Readonly<Record<string, Value>>;
  /** What else changes with an attribute, because only one of them may be declared. */
  readonly together?: Readonly<Record<string, ValueObject>>;
  /** Changes each attribute that is not the object's identity. */
  readonly byHand: Readonly<Record<string, ByHand>>;
  /** Ends the object, or the reason why nobody can. */
  readonly deleteByHand: ByHand | { readonly impossible: string };
  /** By path below the container: what the service shows after the object was destroyed. */
  readonly leaves: Readonly<Record<string, object>>;
  /** What an import of the object takes, in a world where nothing else was made. */
  readonly id: string;
  /** The attributes that make one object another. */
  readonly identity: readonly string[];
  /** What answers 404 as a whole where it is switched off: how messages name it, and its endpoints below the container. */
  readonly feature: { readonly name: string; readonly routes: readonly string[] };
  /** The first write of each step: from `config` to nothing, and to `config` with all variations that don't replace. */
  readonly writes: {
    readonly create: Write;
    /** How many of these one create takes. */
    readonly requestsOfCreate: number;
    readonly update: Write | NoWrite;
    readonly destroy: Write | NoWrite;
  };
  /** The token that applies it, where the role of a Maintainer is not enough. Plans are made by the maintainer all the same. */
  readonly appliedBy?: string;
  /** How often a create looks before it writes. */
  readonly looksBeforeCreate: number;
  /** Many objects in one container, or the one that each container has. */
  readonly many: Entries | OneEach;
  /** What the service's fixture needs in the container beyond its members, where the container is not `acme/web`. */
  readonly container?: object;
  /** The texts that an attribute takes, where few do; random declarations choose among them. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
  /** Tests that can't be held, by title, each with the reason. */
  readonly exempt?: Readonly<Record<string, string>>;
  /** Whether the live platform does otherwise than the specification: its suite then runs with those habits too. */
  readonly hasHabits?: true;
}

/** What a lifecycle writes first on create, update and destroy. */
export interface Write {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly route: string;
}

/** A step that sends nothing, and why. */
export interface NoWrite {
  readonly none: string;
}

/** Objects of which a container holds many. What they name stands in the `CROWD` of the company. */
export interface Entries {
  /** Declares the object at an index, without its container. */
  config(index: number): ValueObject;
  /** What the object's id ends with; `number` is the id that the service gave it, where it numbers them. */
  key(index: number, number: number): string;
  /** Makes the object at an index by hand: a path below the container, and the body that is posted. */
  make(index: number): readonly [path: string, body: object];
  /** So many of them in a fixture of the container; without it they are posted one by one. */
  fixture?(count: number): object;
  /** The endpoint of their list, below the container. */
  readonly list: string;
  /** The endpoint of one of them, as the log of requests names it; absent where the API has whole lists alone. */
  readonly single?: string;
  /** How many requests reading a list of so many takes. */
  pages(count: number): number;
}

/** An object that every container has once. */
export interface OneEach {
  /** Declares it without its container, in a way that every container takes. */
  readonly config: ValueObject;
  /** The endpoints below the container that a plan reads, once each. */
  readonly reads: readonly string[];
}

export const isSent = (write: Write | NoWrite): write is Write => !("none" in write);

export const isEntries = (many: Sample["many"]): many is Entries => "list" in many;

/** A list with a hundred on each page. */
export const inPages = (count: number): number => Math.ceil(count / 100);

/** The declaration with one attribute changed, and what changes with it. */
export const varied = ({ config, variations, together }: Sample, name: string): ValueObject => ({
  ...config,
  ...together?.[name],
  [name]: variations[name]!,
});

/** The same for a data source: `NAME.sample.ts` beside `NAME.ts`. */
export interface DataSample {
  readonly example: Example;
  /** Arguments that find something in each list, where `acme/web` and `acme/platform` hold something of everything. */
  readonly config: ValueObject;
  /** The resource that reads the same, and the requests of reading both in one run, and once more; or why there is none. */
  readonly shared: Shared | { readonly none: string };
  /** Whether the specification has no row for what it reads. */
  readonly isUnspecified?: true;
}

export interface Shared {
  readonly resource: string;
  readonly first: number;
  readonly again: number;
}

/** What a list costs that a data source and a resource read in one run. */
export const ONE_LIST = { first: 1, again: 0 } as const;

/** For data sources of what no resource manages. */
export const NOTHING_DECLARED = { none: "no resource manages what it shows" } as const;

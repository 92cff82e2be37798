import type { Value, ValueObject } from "../../../src/schema";
import type { Write } from "../support/faults";
import type { Http } from "../support/world";

/** How the conformance suite gets to know one resource. */
export interface Sample {
  /** A declaration that says something of every attribute. */
  readonly config: ValueObject;
  /** Another value for each attribute that can be declared, and what that does. */
  readonly variations: Readonly<Record<string, Value>>;
  /** What else has to change with an attribute, because only one of them may be declared. */
  readonly together?: Readonly<Record<string, ValueObject>>;
  /** Changes each attribute that is not the object's identity behind the code's back. */
  readonly byHand: Readonly<Record<string, (http: Http) => Promise<unknown>>>;
  /** Ends the object behind the code's back; absent where there is always one. */
  readonly deleteByHand?: (http: Http) => Promise<unknown>;
  /** What the service shows of the object after `destroy`; fails the test where anything is left. */
  readonly expectGone: (http: Http) => Promise<void>;
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
  /** The token of who applies it, where the role of a Maintainer is not enough. Plans are made by the maintainer all the same. */
  readonly appliedBy?: string;
  /** How often a create looks before it writes. */
  readonly looksBeforeCreate: number;
}

/** A step that sends nothing. */
export interface NoWrite {
  readonly none: string;
}

export const isSent = (write: Write | NoWrite): write is Write => !("none" in write);

/** The declaration with one attribute changed, and what has to change with it. */
export const varied = ({ config, variations, together }: Sample, name: string): ValueObject => ({
  ...config,
  ...together?.[name],
  [name]: variations[name]!,
});

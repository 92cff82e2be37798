import { type Attributes, once, type ValueObject } from "../../schema";
import type { Messages } from "../messages/generated/tfplugin6";
import { readObject } from "./wire-value";

type Dynamic = Messages["DynamicValue"];

/** More are not kept: the objects of a walk whose next procedure Terraform leaves out. */
const MOST = 20_000;

/**
 * What Terraform sends twice in one walk, in the same bytes: a configuration to be validated and planned, a state to be
 * read and planned. It is decoded once.
 */
export class SeenObjects {
  readonly #all = new Map<Attributes, Map<string, ValueObject>>();

  /** Reads an object like `readObject`, for the procedure that gets it again. */
  first(attributes: Attributes, dynamic: Dynamic | undefined): ValueObject | undefined {
    const found = readObject(attributes, dynamic);
    const known = once(this.#all, attributes, () => new Map<string, ValueObject>());
    if (found !== undefined && known.size < MOST) known.set(textOf(dynamic!), found);
    return found;
  }

  /** The same for that procedure. */
  again(attributes: Attributes, dynamic: Dynamic | undefined): ValueObject | undefined {
    const known = this.#all.get(attributes);
    const key = known && dynamic && textOf(dynamic);
    const found = key && known.get(key);
    if (!found) return readObject(attributes, dynamic);
    known.delete(key);
    return found;
  }
}

/** The bytes as a key: msgpack, or the JSON of a client that sends no msgpack. */
const textOf = ({ msgpack, json }: Dynamic): string => {
  const { buffer, byteOffset, byteLength } = msgpack.length > 0 ? msgpack : json;
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
};

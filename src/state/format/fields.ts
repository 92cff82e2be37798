import { isAscii } from "node:buffer";
import { fail } from "../../diagnostics";
import { JsonSyntaxError, parseJson } from "../../json";
import { isJsonObject, type Json, type JsonObject } from "../model/model";

/**
 * A value of a state file with its path, for errors about damaged files. Errors never quote values, because any value can be a
 * secret.
 */
export class Field {
  /**
   * Creates a field. The path of the field is calculated only for an error, to save time.
   *
   * @param within the file, or the field that contains this field under the key
   */
  constructor(
    readonly value: Json | undefined,
    private readonly within: string | Field,
    private readonly key: string | number = "",
  ) {}

  private get file(): string {
    return typeof this.within === "string" ? this.within : this.within.file;
  }

  private get path(): string {
    const { within, key } = this;
    if (typeof within === "string") return "";
    if (typeof key === "number") return `${within.path}[${key}]`;
    return within.path === "" ? key : `${within.path}.${key}`;
  }

  /** Throws the error about a value of the wrong type. */
  fail(expected: string): never {
    return fail({
      code: "state_damaged",
      summary: "State is damaged",
      detail: `In ${this.file}, \`${this.path}\` must be ${expected}. If the file is a state, restore an earlier version: the copy that ends in ".backup", or a version from your state storage.`,
    });
  }

  at(key: string | number): Field {
    const inside = this.value as { [key: string | number]: Json };
    return new Field(Object.hasOwn(inside, key) ? inside[key] : undefined, this, key);
  }

  object(): JsonObject {
    const { value } = this;
    if (!isJsonObject(value)) this.fail("an object");
    return value;
  }

  list(): Field[] {
    if (!Array.isArray(this.value)) this.fail("a list");
    return this.value.map((_, index) => this.at(index));
  }

  text(): string {
    return typeof this.value === "string" ? this.value : this.fail("text");
  }

  /** Returns the value if it is text that matches a pattern, and throws otherwise. */
  matching(pattern: RegExp, expected: string): string {
    return typeof this.value === "string" && pattern.test(this.value) ? this.value : this.fail(expected);
  }

  oneOf<T extends string>(...allowed: readonly T[]): T {
    const found = allowed.find((one) => one === this.value);
    return found ?? this.fail(allowed.map((one) => `"${one}"`).join(" or "));
  }

  count(): number {
    const { value } = this;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) this.fail("a whole number");
    return value;
  }

  flag(): boolean {
    return typeof this.value === "boolean" ? this.value : this.fail("true or false");
  }
}

/** Decodes the bytes of a state. */
export function decodeStateText(bytes: Buffer, file: string): string {
  // Most states are ASCII. For a large ASCII state, this takes half the time of a decoder.
  if (isAscii(bytes)) return bytes.toString("latin1");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return invalidState(file, "it is not UTF-8 text");
  }
}

/** Returns the root field of a state's text. */
export function rootOf(text: string, file: string): Field {
  let json: Json;
  try {
    json = parseJson(text) as Json;
  } catch (problem) {
    if (problem instanceof JsonSyntaxError) return invalidState(file, problem.message);
    throw problem;
  }
  return isJsonObject(json) ? new Field(json, file) : invalidState(file, "it is not a JSON object");
}

function invalidState(file: string, reason: string): never {
  return fail({
    code: "state_not_json",
    summary: "State can't be read",
    detail: `${file} is damaged or not a state: ${reason}. Check the path, or restore the copy that ends in ".backup".`,
  });
}

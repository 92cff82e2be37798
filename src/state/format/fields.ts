import { fail } from "../../diagnostics";
import { isJsonObject, type Json, type JsonObject } from "../model/model";

/**
 * One value of a state file with the place where it stands, so that a damaged one can be named. Values are never
 * quoted in errors: any of them may be a secret.
 */
export class Field {
  constructor(
    readonly value: Json | undefined,
    private readonly place: string,
    private readonly file: string,
  ) {}

  /** Throws the diagnostic for a field that is not what it should be. */
  damaged(expected: string): never {
    return fail({
      code: "state_damaged",
      summary: "State is damaged",
      detail:
        `In ${this.file}, \`${this.place}\` should be ${expected}. Nothing was changed. Bring back an earlier state: ` +
        `the copy beside it that ends in ".backup", or a version that your state storage keeps.`,
    });
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  at(key: string | number): Field {
    const inside = this.value as { [key: string | number]: Json };
    const place =
      typeof key === "number" ? `${this.place}[${key}]` : `${this.place}${this.place ? "." : ""}${key}`;
    return new Field(Object.hasOwn(inside, key) ? inside[key] : undefined, place, this.file);
  }

  object(): JsonObject {
    const { value } = this;
    if (!isJsonObject(value)) this.damaged("an object");
    return value;
  }

  list(): Field[] {
    if (!Array.isArray(this.value)) this.damaged("a list");
    return this.value.map((_, position) => this.at(position));
  }

  text(): string {
    return typeof this.value === "string" ? this.value : this.damaged("text");
  }

  /** Text of a form that a pattern tells. */
  matching(pattern: RegExp, expected: string): string {
    return typeof this.value === "string" && pattern.test(this.value) ? this.value : this.damaged(expected);
  }

  oneOf<T extends string>(...allowed: readonly T[]): T {
    const found = allowed.find((one) => one === this.value);
    return found ?? this.damaged(allowed.map((one) => `"${one}"`).join(" or "));
  }

  count(): number {
    const { value } = this;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
      this.damaged("a whole number");
    return value;
  }

  flag(): boolean {
    return typeof this.value === "boolean" ? this.value : this.damaged("true or false");
  }
}

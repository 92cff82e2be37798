/** How many characters a label has at most, but for the number that makes it unique. */
const LONGEST = 100;

/** Labels of resources: readable, unique within their type. */
export class Labels {
  readonly #taken = new Set<string>();

  /** Such as `acme_web_production`: from the container's path, and from what names the object in it. */
  of(type: string, path: string, name: string): string {
    const words =
      `${path} ${name}`
        .normalize("NFKD")
        .toLowerCase()
        .match(/[a-z\d]+/g) ?? [];
    const text = words.join("_").slice(0, LONGEST).replace(/_$/, "");
    const label = /^[a-z]/.test(text) ? text : `_${text}`;
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? label : `${label}_${number}`;
      if (this.#taken.has(`${type}.${candidate}`)) continue;
      this.#taken.add(`${type}.${candidate}`);
      return candidate;
    }
  }
}

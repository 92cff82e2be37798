import { nameOf, type Part, type Place } from "./fields";
import type { Laboratory, Scenario } from "./laboratory";

/** The result of each scenario without a missing part, by its name. */
export type Outcomes = Readonly<Record<string, unknown>>;

/** The tests that fail without a part, by its name. */
export type Coverage = Readonly<Record<string, readonly string[]>>;

/** Runs every scenario, and again without each part of the endpoints that it asks. */
export async function measure(
  laboratory: Laboratory,
  parts: readonly Part[],
  scenarios: readonly Scenario[],
): Promise<{ readonly outcomes: Outcomes; readonly coverage: Coverage }> {
  const outcomes: Record<string, unknown> = {};
  const coverage: Record<string, string[]> = Object.fromEntries(parts.map((part) => [nameOf(part), []]));
  for (const scenario of scenarios) {
    const { outcome, asked } = await laboratory.run(scenario);
    outcomes[scenario.name] = JSON.parse(outcome);
    const endpoints = new Set(asked.map(({ method, route }) => `${method} ${route}`));
    for (const part of parts.filter(({ method, route }) => endpoints.has(`${method} ${route}`))) {
      const fails = await failsWithout(laboratory, part, scenario, outcome);
      if (fails) coverage[nameOf(part)]!.push(scenario.name);
    }
    // A value that differs between runs would count as a failure.
    const again = (await laboratory.run(scenario)).outcome;
    if (again !== outcome) throw new Error(`${scenario.name} came to something else in the end: ${again}`);
  }
  return { outcomes, coverage };
}

/** Whether a scenario fails, or comes to something else, when a part is missing. */
export async function failsWithout(
  laboratory: Laboratory,
  part: Part,
  scenario: Scenario,
  expected: string,
): Promise<boolean> {
  try {
    return (await laboratory.run(scenario, part)).outcome !== expected;
  } catch {
    return true;
  }
}

/** Rows by their place, covered and not covered. */
export function counts(parts: readonly Part[], coverage: Coverage): string {
  const places: readonly Place[] = ["endpoint", "path", "query", "body", "answer"];
  const covered = (some: readonly Part[]) =>
    some.filter((part) => (coverage[nameOf(part)] ?? []).length > 0).length;
  const each = places.map((place) => {
    const some = parts.filter((part) => part.place === place);
    return `${place} ${covered(some)} of ${some.length}`;
  });
  return `${covered(parts)} of ${parts.length} rows covered (${each.join(", ")})`;
}

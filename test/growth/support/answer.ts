import { SCENES } from "../operations";
import type { Question } from "./results";
import type { Scene } from "./scene";

/** Measures the scenes that the parent of this process asks for, and sends it each result. */
export function answer<Answer>(
  measure: (scene: Scene, question: Question) => Promise<readonly Answer[]>,
): void {
  const main = async (question: Question): Promise<void> => {
    for (const scene of SCENES.filter(({ name }) => question.scenes.includes(name)))
      process.send!(await measure(scene, question));
  };
  process.once("message", (question: Question) => {
    main(question).then(
      () => process.disconnect(),
      (problem: unknown) => {
        process.stderr.write(`${(problem as Error).stack}\n`);
        process.exit(1);
      },
    );
  });
}

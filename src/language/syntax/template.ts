import {
  ConversionError,
  convert,
  elementsOf,
  isKnown,
  isNull,
  NO_MARKS,
  refine,
  STRING,
  string,
  textOf,
  unknown,
  unmark,
  type Value,
  withMarks,
} from "../values";
import type { Evaluation } from "./evaluation";
import type { Join, Range, Template } from "./syntax";

const INVALID = "Invalid template interpolation value";

export function evaluateTemplate(node: Template, evaluation: Evaluation): Value {
  const before = evaluation.problems.length;
  let known = true;
  let marks = NO_MARKS;
  let text = "";
  for (const part of node.parts) {
    const value = evaluation.value(part);
    if (!isNull(value)) marks |= value.marks;
    if (!isNull(value) && !isKnown(value)) known = false;
    else
      text += known
        ? textOfPart(unmark(value), part.range, evaluation)
        : checkedPart(unmark(value), part.range, evaluation);
  }
  if (known) return withMarks(string(text), marks);
  const prefix = evaluation.problems.length === before ? text : "";
  return withMarks(refine(unknown(STRING), { prefix, notNull: true }), marks);
}

/** Parts after an unknown one must be valid text too. */
function checkedPart(value: Value, range: Range, evaluation: Evaluation): string {
  textOfPart(value, range, evaluation);
  return "";
}

function textOfPart(value: Value, range: Range, evaluation: Evaluation): string {
  if (isNull(value)) {
    evaluation.fail(
      INVALID,
      "The value is null and can't be converted to text. Use coalesce() to replace it.",
      range,
    );
    return "";
  }
  try {
    return textOf(convert(value, STRING));
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    evaluation.fail(
      INVALID,
      `The value can't be part of a text: ${error.message}. Use jsonencode() or join() to convert it.`,
      range,
    );
    return "";
  }
}

/** The iterations of a `%{ for }` as one text. */
export function evaluateJoin(node: Join, evaluation: Evaluation): Value {
  const rounds = evaluation.value(node.parts);
  if (!isKnown(rounds)) return unknown(STRING);
  let marks = rounds.marks;
  let text = "";
  for (const round of elementsOf(rounds)) {
    if (!isNull(round) && !isKnown(round)) return withMarks(unknown(STRING), rounds.marks);
    marks |= round.marks;
    text += textOfPart(unmark(round), node.range, evaluation);
  }
  return withMarks(string(text), marks);
}

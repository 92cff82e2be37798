import { JsonDepthError, parseJson } from "../json";
import { type RequestFacts, UnexpectedAnswerError } from "./errors";
import { encodingOf, type HttpAnswer, textOf } from "./transport";

/**
 * Reads the body of a successful answer as JSON.
 *
 * @throws UnexpectedAnswerError `unexpected_answer`, which names the operation and what came
 */
export function readJson(
  answer: HttpAnswer,
  request: RequestFacts,
  redact: (text: string) => string,
): unknown {
  const show = excerptOf(redact);
  const type = String(answer.headers["content-type"] ?? "no content type");
  if (!/\bjson\b/i.test(type)) {
    throw unreadableAnswer(answer, request, `the answer is ${show(type)}, not JSON`);
  }
  const encoding = encodingOf(answer);
  if (encoding !== undefined) {
    throw unreadableAnswer(
      answer,
      request,
      `the answer is packed (${show(encoding)}), which was not asked for`,
    );
  }
  const text = textOf(answer);
  try {
    return parseJson(text);
  } catch (problem) {
    if (problem instanceof JsonDepthError) {
      throw unreadableAnswer(answer, request, `the answer can't be read: ${problem.message}`);
    }
    throw unreadableAnswer(answer, request, `the answer is not whole JSON: ${show(text)}`);
  }
}

/** The error for a successful answer that can't be read: the change was done, or something between answered in the service's place. */
export function unreadableAnswer(
  { status }: HttpAnswer,
  request: RequestFacts,
  why: string,
): UnexpectedAnswerError {
  const mayHaveBeenDone = request.method !== "GET";
  const what = mayHaveBeenDone ? `${why}; the change may have been done` : why;
  return new UnexpectedAnswerError({ code: "unexpected_answer", request, what, status, mayHaveBeenDone });
}

/** Shortens a text that others wrote. It is redacted before it is cut: half a token would escape the redaction. */
export const excerptOf =
  (redact: (text: string) => string) =>
  (text: string): string => {
    const redacted = redact(text);
    return redacted.length > 80 ? `${redacted.slice(0, 80)}…` : redacted;
  };

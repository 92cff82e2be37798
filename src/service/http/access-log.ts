import type { FastifyReply, FastifyRequest } from "fastify";

/** Takes one line without a line end. */
export type AccessLog = (line: string) => void;

/** A token belongs into a header; one that came in an address is not written down. */
const withoutTokens = (url: string): string => url.replace(/([?&][^=&]*token[^=&]*=)[^&]*/gi, "$1[removed]");

/** One line a request: when, what, how it ended, how long it took. */
export const accessLine = (request: FastifyRequest, reply: FastifyReply): string =>
  [
    new Date().toISOString(),
    request.method,
    withoutTokens(request.url),
    reply.raw.writableFinished ? reply.statusCode : "cut",
    `${reply.elapsedTime.toFixed(1)}ms`,
  ].join(" ");

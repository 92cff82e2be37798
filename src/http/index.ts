// HTTP as a client of any service needs it: tries, pauses, limits, pages and redirects. What needs undici loads it with the
// first request.
export { type Clock, systemClock } from "./clock";
export { Delivery, type Prepared } from "./delivery";
export { type ConnectionSettings, openDispatcher } from "./dispatcher";
export {
  ArgumentError,
  CancelledError,
  ConfigurationError,
  ConnectionError,
  HttpError,
  type HttpErrorCode,
  type HttpErrorDetails,
  type RequestFacts,
  StatusError,
  UnexpectedAnswerError,
} from "./errors";
export type { ClientEvent, EventListener } from "./events";
export { excerptOf, readJson, unreadableAnswer } from "./json-answer";
export { Limiter } from "./limiter";
export { type Home, nextTarget } from "./links";
export { keysetPages, offsetPages, type Page, type PageReader } from "./pages";
export { isPlainHttpAllowed } from "./plain-http";
export { readProxy } from "./proxy";
export { RecordList } from "./record-list";
export { jitteredRetries, pauseBeforeLook } from "./retry";
export { type HttpAnswer, textOf } from "./transport";
export { AdaptiveWidth, FIRST_WIDTH, fixedWidth, WIDEST } from "./width";

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
export type { Page, PageReader } from "./pages";
export { isPlainHttpAllowed } from "./plain-http";
export { type ProxySettings, readProxy } from "./proxy";
export { describePause } from "./rate-limit";
export { RecordList } from "./record-list";
export { doublingRetries, isPassing, jitteredRetries, pauseBeforeLook } from "./retry";
export { encodingOf, type HttpAnswer, textOf } from "./transport";
export { FREE_TURNS } from "./turns";
export { keysetPages, offsetPages } from "./walks";
export { AdaptiveWidth, FIRST_WIDTH, fixedWidth, WIDEST } from "./width";

export {
  ArgumentError,
  CancelledError,
  ConfigurationError,
  ConnectionError,
  HttpError as ApiError,
  type HttpErrorCode as ApiErrorCode,
  type HttpErrorDetails as ApiErrorDetails,
  type RequestFacts,
  StatusError,
  UnexpectedAnswerError,
} from "../http";

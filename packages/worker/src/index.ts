// The SDK for people who write extensions.

export {}

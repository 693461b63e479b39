// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

/** The body of a request. */
@SuppressWarnings("ArrayRecordComponent")
record Body(String mediaType, byte[] bytes) {}

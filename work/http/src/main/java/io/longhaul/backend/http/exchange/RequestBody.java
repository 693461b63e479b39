// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

/** The body of a request. */
@SuppressWarnings("ArrayRecordComponent")
public record RequestBody(String mediaType, byte[] bytes) {}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A response of an API without its body. */
public interface ResponseHead {

    int HUNDRED = 100;

    /** The address of the request. */
    URI uri();

    int status();

    HttpHeaders headers();

    default boolean isSuccess() {
        return status() / HUNDRED == 2;
    }

    default boolean isRedirect() {
        return status() / HUNDRED == 3;
    }

    default boolean isGone() {
        return status() == ApiResponse.NOT_FOUND || status() == ApiResponse.GONE;
    }

    default String mediaType() {
        var type = headers().firstValue("Content-Type").orElse("application/octet-stream");
        return type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    /** The address in the first of these headers that the response has. */
    default Optional<URI> address(String... names) {
        return Stream.of(names)
                .flatMap(name -> headers().firstValue(name).stream())
                .flatMap(text -> resolve(text).stream())
                .findFirst();
    }

    /** Resolves an address, which may be relative to the address of the request. */
    default Optional<URI> resolve(String address) {
        try {
            var text = address.strip();
            // java.net.URI resolves a query alone by an older standard, to the folder of the path.
            return Optional.of(uri().resolve(text.startsWith("?") ? uri().getRawPath() + text : text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import java.io.IOException;
import java.net.URI;

/** Thrown for an address that an API names, at a host that is not allowed; the message is for the operator. */
public final class ForeignOriginException extends IOException {

    private static final long serialVersionUID = 1L;

    ForeignOriginException(URI uri) {
        super("the API leads to " + UrlOrigin.text(uri) + ", a host that the job does not name");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

/** Params do not fit a method. The message is one sentence for the peer that names the field. */
public final class ParamsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ParamsException(String message) {
        super(message, null, false, false);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

/** A field that has one value was sent on several lines: a proxy may have checked another than this server reads. */
public final class RepeatedFieldException extends RuntimeException {

    private static final long serialVersionUID = 1;

    RepeatedFieldException(String name) {
        super("The header " + name + " was sent more than once: send it once");
    }

    public HttpRefusal refusal() {
        return new HttpRefusal(400, String.valueOf(getMessage()));
    }
}

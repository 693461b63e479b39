// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

/** Bytes that are not acceptable JSON. The message is one sentence for the sender. */
public final class JsonException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Problem {
        /** More bytes than allowed. */
        TOO_LARGE,
        /** Objects and arrays nested deeper than allowed. */
        TOO_DEEP,
        /** One object has a member twice. */
        DUPLICATE_MEMBER,
        /** Not UTF-8, or text that no UTF-8 could hold. */
        ENCODING,
        /** More than one value. */
        TRAILING,
        /** Not JSON. */
        SYNTAX
    }

    private final Problem problem;

    public JsonException(Problem problem, String message) {
        super(message, null, false, false);
        this.problem = problem;
    }

    /** What is wrong. */
    public Problem problem() {
        return problem;
    }
}

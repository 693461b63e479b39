// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

/** A token cannot be checked now, because its authorization server is away. */
final class IssuerAwayException extends Exception {

    private static final long serialVersionUID = 1L;

    IssuerAwayException() {
        super("the authorization server is away", null, false, false);
    }
}

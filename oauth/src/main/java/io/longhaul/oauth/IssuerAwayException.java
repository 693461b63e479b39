// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

/** A token cannot be checked now, since the authorization server that could help is away. */
final class IssuerAwayException extends Exception {

    private static final long serialVersionUID = 1L;

    IssuerAwayException() {
        super("the authorization server is away", null, false, false);
    }
}

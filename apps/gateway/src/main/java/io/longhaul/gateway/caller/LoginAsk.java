// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

import io.longhaul.requestor.Answerer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How the caller of a call is asked to log in.
 *
 * @param answerer has questions of the call answered
 * @param once     gives what a supplier gives, the same for each attempt at the call
 */
public record LoginAsk(Answerer answerer, Function<Supplier<String>, String> once) {

    /** For a call of one attempt. */
    public static LoginAsk by(Answerer answerer) {
        return new LoginAsk(answerer, Supplier::get);
    }
}

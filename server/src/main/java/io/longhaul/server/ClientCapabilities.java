// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.ClientProfile.Capabilities;

/**
 * What a caller can be asked. Asking for something else ends in a {@link ClientException}.
 *
 * @param form          questions in a form
 * @param url           questions at an address
 * @param sampling      questions to its model
 * @param samplingTools questions to its model with tools
 * @param roots         its folders
 */
public record ClientCapabilities(boolean form, boolean url, boolean sampling, boolean samplingTools, boolean roots) {

    static ClientCapabilities of(Capabilities declared) {
        return new ClientCapabilities(
                declared.form(),
                declared.url(),
                declared.sampling(),
                declared.more().tools(),
                declared.roots());
    }
}

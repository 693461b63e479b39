// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import io.longhaul.protocol.call.ClientProfile.Capabilities;

/** Somebody who fills in forms, and answers nothing else. */
public interface FormAnswers extends Answerer {

    @Override
    default Capabilities capabilities() {
        return new Capabilities(true, false, false, false, false);
    }
}

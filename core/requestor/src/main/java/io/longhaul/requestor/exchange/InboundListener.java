// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import io.longhaul.protocol.rpc.JsonRpcMessage;

/** Takes the messages of a server other than responses. Must not block. */
public interface InboundListener {

    /** @param request the request on whose own stream the notification came; none where that cannot be known */
    void notification(JsonRpcMessage.Notification notification, RequestListener request);

    /** @param own the request on whose own stream the question came; none where that cannot be known */
    void request(JsonRpcMessage.Request request, RequestListener own);
}

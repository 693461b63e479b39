// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.request;

import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.ServerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator which principal opened a session, and which principal received the outcome of which task. */
public final class AuditLog {

    private static final Logger LOG = LoggerFactory.getLogger("io.longhaul.audit");
    private static final int LONGEST = 200;

    private AuditLog() {}

    public static void opened(Principal principal, ClientProfile client) {
        if (LOG.isDebugEnabled()) {
            String info = client.info().toString();
            LOG.debug("session of {} opened, by its own account by {}", safe(principal.name()), safe(info));
        }
    }

    /** Tells observers and the log that a caller saw the outcome of a task, where there is one. */
    public static void seen(Task task, InboundRequest request) {
        if (!task.state().isTerminal()) {
            return;
        }
        request.tell(ServerEvent.ResultRead::new, task);
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "outcome of task {} given to {} in {}",
                    task.id(),
                    safe(request.principal().name()),
                    request.manner().name());
        }
    }

    /** Makes a stranger's text safe for the log: the text must neither fill the log nor write lines of its own. */
    private static String safe(String text) {
        return MessageText.cut(text.replaceAll("\\p{Cntrl}", "?"), LONGEST);
    }
}

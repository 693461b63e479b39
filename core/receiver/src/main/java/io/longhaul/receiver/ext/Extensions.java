// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext;

import io.longhaul.receiver.admit.Extension;
import io.longhaul.receiver.ext.batch.Batches;
import io.longhaul.receiver.ext.control.TaskControlCalls;
import io.longhaul.receiver.ext.handover.HandOverCalls;
import io.longhaul.receiver.ext.resume.PartCalls;
import io.longhaul.receiver.ext.tasks1686.AugmentedRequests;
import io.longhaul.receiver.ext.toolsasync.JoinedCalls;
import java.util.ArrayList;
import java.util.List;

/** The extensions of every receiver. To remove one, delete its package and its line here; no other class names it. */
public final class Extensions {

    private Extensions() {}

    /** All extensions, in the order in which a receiver asks them. */
    public static List<Extension> all() {
        var all = new ArrayList<Extension>();
        all.add(new Batches());
        all.add(PartCalls::addTo);
        all.add(JoinedCalls::addTo);
        all.add(new AugmentedRequests());
        all.add((services, calls) -> calls.add(new TaskControlCalls(services, calls)));
        all.add(HandOverCalls::addTo);
        return List.copyOf(all);
    }
}

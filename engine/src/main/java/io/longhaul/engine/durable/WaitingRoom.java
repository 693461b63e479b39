package io.longhaul.engine.durable;

/** Where an attempt waits for answers: it gives its slot to others meanwhile, and gets one back before it goes on. */
interface WaitingRoom {

    /** One more thread of the attempt waits. */
    void enter(LiveTask live);

    /** One thread of the attempt goes on; blocks until there is a slot for it, unless the attempt is to stop. */
    void leave(LiveTask live, RunThread thread);

    /** The deadline of a question has passed. Does not block. */
    void expire(LiveTask live, String key);
}

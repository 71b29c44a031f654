// Search from disk: a browser does not start workers on pages opened as file://. This class runs the search
// worker in a hidden frame instead. Pages from a web server keep their real workers.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.onmessage = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      // What the script sends with postMessage arrives here, as from a worker.
      inside.postMessage = (data) => this.emit(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = new URL(url, location.href).href;
      script.onload = () => {
        this.window = inside;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      };
      inside.document.body.append(script);
    }

    emit(event) {
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }

    postMessage(data) {
      if (!this.window) this.waiting.push(data);
      else this.window.dispatchEvent(new this.window.MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}

import { serve } from '/node_modules/posenc/dist/worker.js';

serve();
